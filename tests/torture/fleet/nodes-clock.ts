import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A Sunday is over, and with it a day, an ISO week and a month. */
const turnMs = Date.UTC(2027, 1, 1)
const skewedClock = pathToFileURL(join(import.meta.dirname, '../../nodes/skewed-clock.ts')).href

/**
 * The wall clock of the nodes, which all of them share: as the machine's, or so far from it that periods of
 * all lengths end while the run goes on.
 */
export class NodesClock {
  readonly #aheadMs: number

  /** @param turnsInMs when the periods end, from now on; absent: it is the machine's clock */
  constructor(turnsInMs?: number) {
    this.#aheadMs = turnsInMs === undefined ? 0 : turnMs - turnsInMs - Date.now()
  }

  /** What it shows at a time of the machine's. */
  at(machineMs: number): number {
    return machineMs + this.#aheadMs
  }

  /** Of a gateway that keeps it. */
  get environment(): NodeJS.ProcessEnv {
    if (this.#aheadMs === 0) return {}
    return { NODE_OPTIONS: `--import=${skewedClock}`, CLOCK_SKEW_MS: String(this.#aheadMs) }
  }
}
