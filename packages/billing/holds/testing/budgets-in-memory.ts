import { randomFrom } from '../../../storage/testing/random.ts'
import { budgetOfLease } from '../../budgets/hard-budget.ts'
import type { LeaseAnswer, LeaseHolder, LeaseState, LeaseStore, LeaseTaken } from '../lease-store.ts'
import type { SpendBook } from '../spend-book.ts'

/** One period of a budget. */
interface Period {
  spentPico: bigint
  leases: Map<string, LeaseState>
}

/**
 * Budgets and their leases in memory, by the rules of a database shared by several nodes. Its responses
 * overtake each other like a database's, reproducibly for each seed.
 */
export class BudgetsInMemory implements LeaseStore {
  /** The limit by budget. A missing budget is deleted. */
  readonly limitPico = new Map<string, bigint>()
  readonly #periods = new Map<string, Period>()
  readonly #books = new Map<string, SpendBook>()
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  join(nodeId: string, book: SpendBook): void {
    this.#books.set(nodeId, book)
  }

  spentPico(leaseId: string): bigint {
    return this.#periods.get(leaseId)?.spentPico ?? 0n
  }

  get leasedPico(): bigint {
    return [...this.#periods.values()].reduce((sum, period) => sum + leasedOf(period), 0n)
  }

  /** A charge counts in some budgets and was held from the leases of some, which are mostly the same. */
  async post(
    nodeId: string,
    chargePico: bigint,
    { counted, held }: { counted: readonly string[]; held: readonly string[] },
  ): Promise<Map<string, LeaseState>> {
    await this.#anyDelay()
    for (const leaseId of counted) this.#of(leaseId).spentPico += chargePico
    for (const leaseId of held) {
      const { pico } = this.#leaseOf(leaseId, nodeId)
      this.#change(leaseId, nodeId, -(pico < chargePico ? pico : chargePico))
    }
    const states = new Map(held.map((leaseId) => [leaseId, this.#leaseOf(leaseId, nodeId)]))
    await this.#anyDelay()
    return states
  }

  async take(nodeId: string, leaseId: string, neededPico: bigint, wantedPico: bigint): Promise<LeaseTaken> {
    await this.#anyDelay()
    const limitPico = this.limitPico.get(budgetOfLease(leaseId).budgetId)
    const period = this.#of(leaseId)
    const roomPico = (limitPico ?? 0n) - period.spentPico - leasedOf(period)
    const elsewherePico = leasedOf(period) - this.#leaseOf(leaseId, nodeId).pico
    let takenPico = 0n
    if (limitPico !== undefined && roomPico >= neededPico) {
      const most = neededPico + (roomPico - neededPico) / 2n
      takenPico = wantedPico < most ? wantedPico : most
      this.#change(leaseId, nodeId, takenPico)
    }
    const taken = {
      takenPico,
      lease: this.#leaseOf(leaseId, nodeId),
      freePico: limitPico === undefined ? 0n : roomPico - takenPico,
      elsewherePico,
      ...(limitPico === undefined ? { isGone: true } : { isExceeded: roomPico < 0n }),
    }
    await this.#anyDelay()
    return taken
  }

  async giveBack(
    nodeId: string,
    leaseId: string,
    amountPico: bigint,
    answer?: LeaseAnswer,
  ): Promise<LeaseState> {
    await this.#anyDelay()
    const { pico } = this.#leaseOf(leaseId, nodeId)
    const givenPico = pico < amountPico ? pico : amountPico
    if (givenPico > 0n) this.#change(leaseId, nodeId, -givenPico)
    const state = this.#leaseOf(leaseId, nodeId)
    if (answer !== undefined)
      for (const book of this.#books.values()) book.recordAnswer(leaseId, nodeId, givenPico, answer.heldPico)
    await this.#anyDelay()
    return state
  }

  /** As when a node starts. */
  async giveBackAll(nodeId: string): Promise<void> {
    for (const leaseId of this.#periods.keys())
      this.#change(leaseId, nodeId, -this.#leaseOf(leaseId, nodeId).pico)
  }

  async current(nodeId: string, leaseIds: readonly string[]): Promise<Map<string, LeaseState>> {
    await this.#anyDelay()
    return new Map(leaseIds.map((leaseId) => [leaseId, this.#leaseOf(leaseId, nodeId)]))
  }

  async ask(nodeId: string, leaseId: string, amountPico: bigint): Promise<LeaseHolder[]> {
    await this.#anyDelay()
    const holders: LeaseHolder[] = []
    for (const [other, { pico }] of this.#of(leaseId).leases)
      if (other !== nodeId && pico > 0n) holders.push({ nodeId: other, pico })
    for (const holder of holders) void this.#books.get(holder.nodeId)?.answer(leaseId, amountPico)
    await this.#anyDelay()
    return holders
  }

  heartbeat(): Promise<bigint> {
    return Promise.resolve(0n)
  }

  giveBackExpired(): Promise<string[]> {
    return Promise.resolve([])
  }

  #of(leaseId: string): Period {
    const there = this.#periods.get(leaseId)
    if (there !== undefined) return there
    const period: Period = { spentPico: 0n, leases: new Map() }
    this.#periods.set(leaseId, period)
    return period
  }

  #leaseOf(leaseId: string, nodeId: string): LeaseState {
    return this.#of(leaseId).leases.get(nodeId) ?? { pico: 0n, version: 0n }
  }

  #change(leaseId: string, nodeId: string, byPico: bigint): void {
    const { pico, version } = this.#leaseOf(leaseId, nodeId)
    this.#of(leaseId).leases.set(nodeId, { pico: pico + byPico, version: version + 1n })
  }

  async #anyDelay(): Promise<void> {
    const turns = Math.floor(this.#random() * 3)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

function leasedOf({ leases }: Period): bigint {
  let sum = 0n
  for (const { pico } of leases.values()) sum += pico
  return sum
}
