import {
  carryOutVerification,
  type LedgerStore,
  type LedgerVerification,
  type VerificationRun,
  type VerificationStore,
} from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { ManagementLogger } from '../services.ts'

/** A larger ledger is verified with `turnpike-gateway ledger verify`, which has no time limit. */
const longestMs = 600_000

interface VerifierParts {
  ledger: Pick<LedgerStore, 'verify'>
  runs: VerificationStore
  nodeId: string
  clock: () => number
  logger: ManagementLogger
}

/**
 * Verifies the ledger, one run at a time on this node. Callers that arrive during a run share the next one,
 * which includes everything that was done before they asked.
 */
export class LedgerVerifier {
  readonly #parts: VerifierParts
  readonly #stopping = new AbortController()
  readonly #behind = new Set<Promise<void>>()
  readonly #noted = new WeakMap<LedgerVerification, Promise<void>>()
  #current: Promise<LedgerVerification> | undefined
  #next: Promise<LedgerVerification> | undefined
  #checked = 0

  constructor(parts: VerifierParts) {
    this.#parts = parts
  }

  /** @throws {GatewayError} 503 if it took too long */
  async verify(): Promise<LedgerVerification> {
    const startedAtMs = this.#parts.clock()
    const found = await this.#fresh()
    if (found.stopped !== true) {
      await this.#note(found, startedAtMs)
      return found
    }
    throw new GatewayError(
      'service_unavailable',
      'The ledger could not be verified within 10 minutes. ' +
        'Run `turnpike-gateway ledger verify`, which has no time limit.',
      { retryAfterSeconds: 60 },
    )
  }

  /** Records a run once, however many callers wait for it. */
  async #note(found: LedgerVerification, startedAtMs: number): Promise<void> {
    const { runs, nodeId, clock } = this.#parts
    const noting =
      this.#noted.get(found) ??
      runs
        .note(nodeId, found, startedAtMs, clock())
        .catch((error: unknown) =>
          this.#logFailure(error, 'The result of a ledger verification could not be saved.'),
        )
    this.#noted.set(found, noting)
    await noting
  }

  #logFailure(error: unknown, what: string, id?: string): void {
    this.#parts.logger.error({ error: String(error), ...(id !== undefined && { id }) }, what)
  }

  /** Begins a run in the background; if one is already running, on any node, returns that one. */
  async begin(): Promise<VerificationRun> {
    const { runs, nodeId, clock } = this.#parts
    const { run, begun } = await runs.begin(nodeId, clock())
    if (begun) this.#watch(run)
    return run
  }

  /** Stops the current run; it is recorded as stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled([...this.#behind, this.#current])
  }

  #watch({ id }: VerificationRun): void {
    const { clock, runs } = this.#parts
    const onFailure = (error: unknown, what: string): void => this.#logFailure(error, what, id)
    const verify = () => this.#fresh()
    const parts = { runs, verify, checked: () => this.#checked, clock, onFailure }
    const behind = carryOutVerification(id, parts).catch((error: unknown) =>
      onFailure(error, 'A ledger verification could not be saved.'),
    )
    this.#behind.add(behind)
    void behind.finally(() => this.#behind.delete(behind))
  }

  #fresh(): Promise<LedgerVerification> {
    if (this.#current === undefined) return this.#run()
    this.#next ??= this.#current.then(nothing, nothing).then(() => {
      this.#next = undefined
      return this.#run()
    })
    return this.#next
  }

  #run(): Promise<LedgerVerification> {
    this.#checked = 0
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(longestMs)])
    const onProgress = (checked: number): void => void (this.#checked = checked)
    this.#current = this.#parts.ledger.verify({ signal, onProgress }).finally(() => {
      this.#current = undefined
    })
    return this.#current
  }
}

/** The previous run's failure is reported to the callers of that run. */
function nothing(): void {}
