import type { LedgerStore, LedgerVerification, VerificationRun, VerificationStore } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import type { ManagementLogger } from '../services.ts'

/** A ledger that takes longer is verified by `turnpike-gateway ledger verify`, which may take its time. */
const longestMs = 600_000
/** How often one that goes on says so. */
const toldEveryMs = 2_000

interface VerifierParts {
  ledger: Pick<LedgerStore, 'verify'>
  runs: VerificationStore
  nodeId: string
  clock: () => number
  logger: ManagementLogger
}

/**
 * Verifies the ledger, one time at a time on this node: whoever asks meanwhile gets the one after it, all of
 * them the same, which sees all that was done before they asked.
 */
export class LedgerVerifier {
  readonly #parts: VerifierParts
  readonly #stopping = new AbortController()
  readonly #behind = new Set<Promise<void>>()
  #current: Promise<LedgerVerification> | undefined
  #next: Promise<LedgerVerification> | undefined
  #checked = 0

  constructor(parts: VerifierParts) {
    this.#parts = parts
  }

  /** @throws {GatewayError} 503 where it took too long */
  async verify(): Promise<LedgerVerification> {
    const found = await this.#fresh()
    if (found.stopped !== true) return found
    throw new GatewayError(
      'service_unavailable',
      'The ledger could not be verified in 10 minutes: ' +
        '`turnpike-gateway ledger verify` takes as long as it takes.',
      { retryAfterSeconds: 60 },
    )
  }

  /** Begins one behind the answer; where one runs, on whatever node, that one is answered. */
  async begin(): Promise<VerificationRun> {
    const { runs, nodeId, clock } = this.#parts
    const { run, begun } = await runs.begin(nodeId, clock())
    if (begun) this.#watch(run)
    return run
  }

  /** Ends what runs; it is noted as stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled([...this.#behind, this.#current])
  }

  #watch({ id }: VerificationRun): void {
    const behind = this.#carryOut(id).catch((error: unknown) => {
      this.#parts.logger.error(
        { error: String(error), id },
        'A verification of the ledger could not be noted.',
      )
    })
    this.#behind.add(behind)
    void behind.finally(() => this.#behind.delete(behind))
  }

  async #carryOut(id: string): Promise<void> {
    const { clock, logger, runs } = this.#parts
    const told = setInterval(() => {
      runs.advance(id, this.#checked, clock()).catch((error: unknown) => {
        logger.error({ error: String(error), id }, 'Progress of a verification could not be noted.')
      })
    }, toldEveryMs)
    try {
      const { checked, differences, stopped } = await this.#fresh()
      await runs.end(id, { state: stopped === true ? 'stopped' : 'finished', checked, differences }, clock())
    } catch (error) {
      logger.error({ error: String(error), id }, 'The ledger could not be verified.')
      await runs.end(id, { state: 'failed', checked: this.#checked, differences: [] }, clock())
    } finally {
      clearInterval(told)
    }
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

/** How the one before ended is told to whoever asked for it. */
function nothing(): void {}
