import { setTimeout as delay } from 'node:timers/promises'
import {
  carryOutVerification,
  isVerificationDue,
  type LedgerStore,
  type VerificationRun,
  type VerificationStore,
} from '@turnpike/billing'

const lookEveryMs = 60_000
/** Late enough not to slow down the start. Nodes that start together do not check at the same moment. */
const firstAfterMs = 300_000
/** The database keeps the snapshot for as long as a verification reads it. */
const longestMs = 3_600_000
/** Pauses as many times as long as it has worked, and so takes at most a quarter of a core. */
const restShare = 3
const longestRestMs = 500

interface LedgerScheduleParts {
  ledger: Pick<LedgerStore, 'verify'>
  runs: VerificationStore
  nodeId: string
  /** 0: never. */
  everyMs: number
  /** Unix epoch milliseconds. */
  clock: () => number
  onFailure: (error: unknown, what: string) => void
}

/**
 * Verifies the ledger regularly, on the first node that finds it due, and slowly enough not to disturb
 * requests. Differences are reported to the operators.
 */
export class LedgerSchedule {
  readonly #parts: LedgerScheduleParts
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #latest: VerificationRun | undefined

  constructor(parts: LedgerScheduleParts) {
    this.#parts = parts
  }

  start(): void {
    const firstAtMs = performance.now() + firstAfterMs * (1 + Math.random())
    this.#timer = setInterval(() => {
      this.#running ??= this.look({ mayBegin: performance.now() >= firstAtMs })
        .catch((error: unknown) =>
          this.#parts.onFailure(error, 'It could not be determined whether a ledger verification is due.'),
        )
        .finally(() => {
          this.#running = undefined
        })
    }, lookEveryMs).unref()
  }

  /** The last verification that finished, on whichever node, as of at most a minute ago. */
  get latest(): VerificationRun | undefined {
    return this.#latest
  }

  /** Verifies the ledger if that is due; resolves when the verification has ended. */
  async look({ mayBegin }: { mayBegin: boolean }): Promise<void> {
    const { runs, nodeId, everyMs, clock } = this.#parts
    this.#latest = await runs.newest('finished')
    if (!mayBegin) return
    await runs.endSilent(clock())
    const newest = await runs.newest()
    if (!isVerificationDue(newest, everyMs, clock())) return
    const { run, begun } = await runs.begin(nodeId, clock(), newest?.id ?? null)
    if (!begun) return
    await this.#carryOut(run)
    this.#latest = await runs.newest('finished')
  }

  /** Ends the running verification and records it as stopped; resolves when the storage is not in use. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#running
  }

  #carryOut({ id }: VerificationRun): Promise<void> {
    const { ledger, runs, clock, onFailure } = this.#parts
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(longestMs)])
    let checked = 0
    const onProgress = (count: number): void => void (checked = count)
    return carryOutVerification(id, {
      runs,
      verify: () => ledger.verify({ signal, onProgress, rest: resting() }),
      checked: () => checked,
      clock,
      onFailure,
    })
  }
}

/** Returns a function that pauses in proportion to the time worked since the last pause. */
function resting(): () => Promise<void> {
  let sinceMs = performance.now()
  return async () => {
    await delay(Math.min(longestRestMs, restShare * (performance.now() - sinceMs)))
    sinceMs = performance.now()
  }
}
