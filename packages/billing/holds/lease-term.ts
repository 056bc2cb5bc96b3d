import type { LeaseStore } from './lease-store.ts'

/** A lease is spent for a slightly shorter time than other nodes respect it, because clocks differ. */
const spendablePart = 0.9

/** Milliseconds since an unknown moment. At least one clock runs on while this process is suspended. */
export interface LeaseClock {
  /** Never set back. On Linux it stops while the machine sleeps. */
  monotonicMs(): number
  /** Keeps running while the machine sleeps, and may be set at any time. */
  wallMs(): number
}

const systemClock: LeaseClock = { monotonicMs: () => performance.now(), wallMs: () => Date.now() }

/**
 * How long this node may spend from its leases: as long as its heartbeat has reached the database within
 * `leaseMs`. A process that was suspended or cut off finds its term over before it spends anything.
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

  /** Registers a callback that runs if the leases were taken from this node, before the new term begins. */
  whenExpired(onExpired: () => Promise<void>): void {
    this.#onExpired.push(onExpired)
  }

  /** Uses the longer of both clocks' times: a term that ends too soon only costs one heartbeat. */
  isOver(): boolean {
    const spendableMs = this.#leaseMs * spendablePart
    return (
      this.#clock.monotonicMs() - this.#sinceMonotonicMs > spendableMs ||
      this.#clock.wallMs() - this.#sinceWallMs > spendableMs
    )
  }

  /** Begins a new term; rejects if the database cannot be reached. */
  renew(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(): Promise<void> {
    // Read before the call: the database records the heartbeat later, so others wait longer than this node.
    const monotonicMs = this.#clock.monotonicMs()
    const wallMs = this.#clock.wallMs()
    const expiries = await this.#store.heartbeat(this.#nodeId, this.#leaseMs)
    if (this.#expiries !== expiries) await Promise.all(this.#onExpired.map((readAgain) => readAgain()))
    this.#expiries = expiries
    this.#sinceMonotonicMs = monotonicMs
    this.#sinceWallMs = wallMs
  }
}
