import { spendPeriodAt } from '@turnpike/protocol'
import { randomFrom } from '../../../storage/testing/random.ts'
import type { LeaseBook } from '../lease-book.ts'
import type {
  LeaseAnswer,
  LeaseHolder,
  LeaseState,
  LeaseStore,
  LeaseTaken,
  SpendLimitState,
} from '../lease-store.ts'

/**
 * One key's credit and its leases in memory, by the rules of a database shared by several nodes, fast enough
 * to try thousands of operations of their books a second. Its responses overtake each other like a
 * database's, reproducibly for each seed.
 */
export class OneKeyStore implements LeaseStore {
  freePico: bigint
  /** The key's daily limit; undefined: none. */
  limitPico: bigint | undefined
  /** Posted charges by the start of their day. */
  readonly spentPico = new Map<number, bigint>()
  readonly leases = new Map<string, bigint>()
  /** The sum of posted charges. */
  chargedPico = 0n
  readonly #books = new Map<string, LeaseBook>()
  readonly #expiries = new Map<string, bigint>()
  readonly #random: () => number
  #version = 0n

  constructor(seed: number, creditPico: bigint, limitPico?: bigint) {
    this.#random = randomFrom(seed)
    this.freePico = creditPico
    this.limitPico = limitPico
  }

  /** Delivers other nodes' recalls and answers to this node's book. */
  join(nodeId: string, book: LeaseBook): void {
    this.#books.set(nodeId, book)
  }

  leasePico(nodeId: string): bigint {
    return this.leases.get(nodeId) ?? 0n
  }

  /** Posts charges like the flush of an outbox. */
  async post(nodeId: string, chargePico: bigint, startedAtMs = 0): Promise<Map<string, LeaseState>> {
    await this.#anyDelay()
    const { startsAtMs } = spendPeriodAt('day', startedAtMs)
    this.spentPico.set(startsAtMs, this.#spentIn(startsAtMs) + chargePico)
    const leasePico = this.leasePico(nodeId)
    const takenPico = leasePico < chargePico ? leasePico : chargePico
    this.#change(nodeId, -takenPico)
    this.freePico -= chargePico - takenPico
    this.chargedPico += chargePico
    const states = new Map([['key', this.#state(nodeId)]])
    await this.#anyDelay()
    return states
  }

  /** As if the node's heartbeats had failed for too long. */
  expire(nodeId: string): void {
    const leasePico = this.leasePico(nodeId)
    this.#change(nodeId, -leasePico)
    this.freePico += leasePico
    this.#expiries.set(nodeId, (this.#expiries.get(nodeId) ?? 0n) + 1n)
  }

  async take(
    nodeId: string,
    _keyId: string,
    neededPico: bigint,
    wantedPico: bigint,
    startedAtMs: number,
  ): Promise<LeaseTaken> {
    await this.#anyDelay()
    const roomPico = this.#limitAt(startedAtMs)?.roomPico ?? this.freePico
    const grantablePico = roomPico < this.freePico ? roomPico : this.freePico
    const elsewherePico = (): bigint => this.#leasedPico() - this.leasePico(nodeId)
    let takenPico = 0n
    if (grantablePico >= neededPico) {
      const bound = neededPico + (grantablePico - neededPico) / 2n
      takenPico = wantedPico < bound ? wantedPico : bound
      this.#change(nodeId, takenPico)
      this.freePico -= takenPico
    }
    const limit = this.#limitAt(startedAtMs)
    const taken = {
      lease: this.#state(nodeId),
      takenPico,
      freePico: this.freePico,
      elsewherePico: elsewherePico(),
      ...(limit !== undefined && { limit }),
    }
    await this.#anyDelay()
    return taken
  }

  async giveBack(nodeId: string, keyId: string, pico: bigint, answer?: LeaseAnswer): Promise<LeaseState> {
    await this.#anyDelay()
    const leasePico = this.leasePico(nodeId)
    const givenPico = pico < leasePico ? pico : leasePico
    this.#change(nodeId, -givenPico)
    this.freePico += givenPico
    const state = this.#state(nodeId)
    if (answer !== undefined)
      for (const book of this.#books.values()) book.recordAnswer(keyId, nodeId, givenPico, answer.heldPico)
    await this.#anyDelay()
    return state
  }

  giveBackAll(nodeId: string): Promise<void> {
    this.freePico += this.leasePico(nodeId)
    this.#change(nodeId, -this.leasePico(nodeId))
    return Promise.resolve()
  }

  async current(nodeId: string, keyIds: readonly string[]): Promise<Map<string, LeaseState>> {
    await this.#anyDelay()
    return new Map(keyIds.map((keyId) => [keyId, this.#state(nodeId)]))
  }

  async ask(nodeId: string, keyId: string, amountPico: bigint): Promise<LeaseHolder[]> {
    await this.#anyDelay()
    const holders: LeaseHolder[] = []
    for (const [other, pico] of this.leases)
      if (other !== nodeId && pico > 0n) holders.push({ nodeId: other, pico })
    for (const holder of holders) void this.#books.get(holder.nodeId)?.answer(keyId, amountPico)
    await this.#anyDelay()
    return holders
  }

  heartbeat(nodeId: string): Promise<bigint> {
    return Promise.resolve(this.#expiries.get(nodeId) ?? 0n)
  }

  giveBackExpired(): Promise<string[]> {
    return Promise.resolve([])
  }

  #limitAt(startedAtMs: number): SpendLimitState | undefined {
    if (this.limitPico === undefined) return undefined
    const period = spendPeriodAt('day', startedAtMs)
    const [now, next] = [this.#spentIn(period.startsAtMs), this.#spentIn(period.endsAtMs)]
    const roomPico = this.limitPico - (now > next ? now : next) - this.#leasedPico()
    return { limitPico: this.limitPico, period, roomPico, predecessorsPico: 0n }
  }

  #spentIn(startsAtMs: number): bigint {
    return this.spentPico.get(startsAtMs) ?? 0n
  }

  #leasedPico(): bigint {
    let sum = 0n
    for (const pico of this.leases.values()) sum += pico
    return sum
  }

  #state(nodeId: string): LeaseState {
    return { pico: this.leasePico(nodeId), version: this.#version }
  }

  #change(nodeId: string, byPico: bigint): void {
    this.leases.set(nodeId, this.leasePico(nodeId) + byPico)
    this.#version++
  }

  async #anyDelay(): Promise<void> {
    const turns = Math.floor(this.#random() * 3)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}
