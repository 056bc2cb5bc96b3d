import { setTimeout as delay } from 'node:timers/promises'
import {
  carryOutVerification,
  isVerificationDue,
  type LedgerStore,
  type VerificationRun,
  type VerificationStore,
} from '@turnpike/billing'

const lookEveryMs = 60_000
/** Behind what a start has to do; nodes that start together do not look at the same moment. */
const firstAfterMs = 300_000
/** For as long as one reads, the database keeps the state that it began with. */
const longestMs = 3_600_000
/** It rests for so many times as long as it has worked: a quarter of one core is what it takes at most. */
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
 * Verifies the ledger now and then, on whichever node finds first that it is due, slowly, beside all that the
 * node serves. Operators are told of what differs.
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

  /** The last verification that got to its end, on whichever node, as it was known a minute ago. */
  get latest(): VerificationRun | undefined {
    return this.#latest
  }

  /** Verifies the ledger if that is due; resolves when it has ended. */
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

  /** What runs ends, and is noted as stopped; resolves when the storage is used no more. */
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

/** Rests as its work asks for. */
function resting(): () => Promise<void> {
  let sinceMs = performance.now()
  return async () => {
    await delay(Math.min(longestRestMs, restShare * (performance.now() - sinceMs)))
    sinceMs = performance.now()
  }
}
