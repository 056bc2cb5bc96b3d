import type { LeaseStore } from './lease-store.ts'

/** A lease is spent for a little less long than other nodes leave it alone: no two clocks run alike. */
const spendablePart = 0.9

/** Milliseconds since an unknown moment. One clock at least goes on while this process stands still. */
export interface LeaseClock {
  /** Never set back. On Linux it stands still while the machine sleeps. */
  monotonicMs(): number
  /** Goes on while the machine sleeps, and may be set at any time. */
  wallMs(): number
}

const systemClock: LeaseClock = { monotonicMs: () => performance.now(), wallMs: () => Date.now() }

/**
 * For how long this node may spend from its leases: as long as its heartbeat reached the database within
 * `leaseMs`. A process that was stopped, or cut off, finds its term over before it spends anything.
 */
export class LeaseTerm {
  readonly #store: Pick<LeaseStore, 'heartbeat'>
  readonly #nodeId: string
  readonly #leaseMs: number
  readonly #clock: LeaseClock
  readonly #onExpired: (() => Promise<void>)[] = []
  #sinceMonotonicMs = Number.NEGATIVE_INFINITY
  #sinceWallMs = 0
  #expiries: bigint | undefined
  #renewal: Promise<void> | undefined

  constructor(
    store: Pick<LeaseStore, 'heartbeat'>,
    nodeId: string,
    leaseMs: number,
    clock: LeaseClock = systemClock,
  ) {
    this.#store = store
    this.#nodeId = nodeId
    this.#leaseMs = leaseMs
    this.#clock = clock
  }

  /** Has it called where the leases were taken from this node, before the new term begins. */
  whenExpired(onExpired: () => Promise<void>): void {
    this.#onExpired.push(onExpired)
  }

  /** The longer of both clocks' times counts: a term that ends too soon costs one heartbeat. */
  isOver(): boolean {
    const spendableMs = this.#leaseMs * spendablePart
    return (
      this.#clock.monotonicMs() - this.#sinceMonotonicMs > spendableMs ||
      this.#clock.wallMs() - this.#sinceWallMs > spendableMs
    )
  }

  /** Begins a new term; rejects where the database cannot be reached. */
  renew(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(): Promise<void> {
    // The database notes the heartbeat later than this, so others wait longer than this node spends.
    const monotonicMs = this.#clock.monotonicMs()
    const wallMs = this.#clock.wallMs()
    const expiries = await this.#store.heartbeat(this.#nodeId, this.#leaseMs)
    if (this.#expiries !== expiries) await Promise.all(this.#onExpired.map((readAgain) => readAgain()))
    this.#expiries = expiries
    this.#sinceMonotonicMs = monotonicMs
    this.#sinceWallMs = wallMs
  }
}
