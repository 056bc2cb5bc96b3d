import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The end of a Sunday, and so of a day, an ISO week and a month. */
const turnMs = Date.UTC(2027, 1, 1)
const skewedClock = pathToFileURL(join(import.meta.dirname, '../../nodes/skewed-clock.ts')).href

/**
 * The wall clock that all nodes share: the machine's, or one set so far ahead that periods of all lengths end
 * during the run.
 */
export class NodesClock {
  readonly #aheadMs: number

  /** @param turnsInMs time until the periods end; absent: the machine's clock */
  constructor(turnsInMs?: number) {
    this.#aheadMs = turnsInMs === undefined ? 0 : turnMs - turnsInMs - Date.now()
  }

  /** The time that it shows at a given machine time. */
  at(machineMs: number): number {
    return machineMs + this.#aheadMs
  }

  /** Environment variables of a gateway that uses this clock. */
  get environment(): NodeJS.ProcessEnv {
    if (this.#aheadMs === 0) return {}
    return { NODE_OPTIONS: `--import=${skewedClock}`, CLOCK_SKEW_MS: String(this.#aheadMs) }
  }
}
