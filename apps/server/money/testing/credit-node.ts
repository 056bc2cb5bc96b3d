import {
  SpendBook,
  noBudgets,
  findChargedLeases,
  type BudgetSet,
  type Hold,
  type HoldResult,
  type LeaseStore,
} from '@turnpike/billing'
import type { GatewayLog, RequestRecord } from '@turnpike/gateway'
import { KnownKeys } from '@turnpike/identity'
import type { Storage } from '@turnpike/storage'
import { newRecord } from '../../../../packages/storage/testing/fixtures.ts'
import { CreditUpkeep } from '../credit-upkeep.ts'

const leaseMs = 120_000

/** A running request. */
interface Running {
  hold: Hold
  keyId: string
  tags: string[]
}

/** The budgets that a request falls under, as its node knows them, and its tags. */
interface Under {
  budgets: BudgetSet
  tags: string[]
}

const nothing: Under = { budgets: noBudgets, tags: [] }

/**
 * The part of a node that manages credit, on a real database: its leases, its outbox, and the notices of
 * other nodes. For tests.
 */
export class CreditNode {
  readonly nodeId: string
  readonly #storage: Storage
  readonly #accountId: string
  readonly #log: GatewayLog
  #book!: SpendBook
  #upkeep!: CreditUpkeep
  running: Running[] = []
  /** Charges that are not in the database yet. */
  outbox: RequestRecord[] = []
  #flushing: Promise<void> = Promise.resolve()
  #restarted: Promise<void> = Promise.resolve()
  /** The number of restarts. */
  #life = 0

  private constructor(storage: Storage, accountId: string, nodeId: string, log: GatewayLog) {
    this.#storage = storage
    this.#accountId = accountId
    this.nodeId = nodeId
    this.#log = log
  }

  static async start(
    storage: Storage,
    accountId: string,
    nodeId: string,
    log: GatewayLog,
  ): Promise<CreditNode> {
    const node = new CreditNode(storage, accountId, nodeId, log)
    await node.#begin()
    return node
  }

  async #begin(): Promise<void> {
    const { nodeId } = this
    const storage = this.#storage
    const log = this.#log
    const life = this.#life
    const leases = whileAlive(storage.leases, () => life === this.#life)
    const budgetLeases = whileAlive(storage.budgetLeases, () => life === this.#life)
    this.#book = new SpendBook({ leases, budgetLeases }, nodeId, { leaseMs })
    const keys = new KnownKeys(storage.apiKeys, (error) => log.warn({ error: String(error) }, 'keys'))
    this.#upkeep = await CreditUpkeep.start({ storage, leases: this.#book, keys, nodeId, leaseMs, log })
  }

  /** What running requests hold of a key, and what finished ones have spent that is not posted yet. */
  spokenForPico(keyId: string): bigint {
    return this.heldPico(keyId) + this.unpostedPico(keyId)
  }

  heldPico(keyId: string): bigint {
    return this.running.reduce((sum, one) => (one.keyId === keyId ? sum + one.hold.amountPico : sum), 0n)
  }

  unpostedPico(keyId: string): bigint {
    return this.outbox.reduce((sum, one) => (one.keyId === keyId ? sum + one.chargePico : sum), 0n)
  }

  async hold(
    keyId: string,
    amountPico: bigint,
    { budgets, tags }: Under = nothing,
    startedAtMs: number = Date.now(),
  ): Promise<HoldResult | undefined> {
    await this.#restarted
    const life = this.#life
    const spender = { keyId, startedAtMs, budgets }
    const result = await this.#ifAlive(life, () => this.#book.hold(spender, amountPico))
    if (result === undefined || life !== this.#life) return undefined
    if ('hold' in result) this.running.push({ hold: result.hold, keyId, tags })
    return result
  }

  async extend(which: number, morePico: bigint): Promise<void> {
    const one = this.running[which % Math.max(1, this.running.length)]
    if (one !== undefined) await this.#ifAlive(this.#life, () => this.#book.extend(one.hold, morePico))
  }

  /** Undefined if the node was killed meanwhile. */
  async #ifAlive<Result>(life: number, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (life === this.#life) throw error
      return undefined
    }
  }

  /**
   * Ends one of the requests.
   * @returns its charge, as a percentage of what it held
   */
  settle(which: number, percent: number): bigint {
    const [one] = this.running.splice(which % Math.max(1, this.running.length), 1)
    if (one === undefined) return 0n
    const chargePico = (one.hold.amountPico * BigInt(percent)) / 100n
    const key = { id: one.keyId, accountId: this.#accountId }
    const { startedAtMs } = one.hold
    const record = newRecord(key, { chargePico, startedAtMs, tags: one.tags })
    const budgetLeases = findChargedLeases(one.hold, record.modelServed)
    this.outbox.push({ ...record, budgetLeases })
    this.#book.settle(one.hold, chargePico, record.modelServed)
    return chargePico
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(async () => {
      const batch = this.outbox
      const life = this.#life
      if (batch.length === 0) return
      const { chargedPico, leases } = await this.#storage.requests.write(this.nodeId, batch)
      this.outbox = this.outbox.filter((record) => !batch.includes(record))
      if (life === this.#life) this.#book.flushed(chargedPico, leases)
    })
    return this.#flushing
  }

  /** Releases the key's leases on all nodes, as the management API does. */
  async release(keyId: string): Promise<void> {
    await this.#restarted
    await this.#ifAlive(this.#life, () => this.#book.giveBackEverywhere(keyId))
  }

  /** Handles another node's notice about a budget. */
  async budgetChanged(budgetId: string): Promise<void> {
    await this.#restarted
    await this.#ifAlive(this.#life, () => this.#book.budgetChanged(budgetId))
  }

  async giveBack(keyId: string): Promise<void> {
    await this.#restarted
    await this.#ifAlive(this.#life, () => this.#book.giveBack(keyId))
  }

  /**
   * Simulates `kill -9` and a restart: running requests are gone and cost nothing, the outbox survives and
   * is posted first, then the leases are returned. Meanwhile, no request is served.
   */
  kill(): Promise<void> {
    this.#restarted = this.#restarted.then(async () => {
      this.running = []
      this.#life++
      await this.#upkeep.stop()
      await this.flush()
      await this.#storage.leases.giveBackAll(this.nodeId)
      await this.#begin()
    })
    return this.#restarted
  }

  async stop(): Promise<void> {
    await this.#restarted
    await this.flush()
    await this.#upkeep.stop()
    await this.#storage.leases.giveBackAll(this.nodeId)
  }
}

/** A dead process makes no database calls. */
function whileAlive(leases: LeaseStore, isAlive: () => boolean): LeaseStore {
  const ifAlive = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (!isAlive()) throw new Error('this node was killed')
    return ask()
  }
  return {
    take: (...wish) => ifAlive(() => leases.take(...wish)),
    giveBack: (...lease) => ifAlive(() => leases.giveBack(...lease)),
    giveBackAll: (nodeId) => ifAlive(() => leases.giveBackAll(nodeId)),
    current: (nodeId, keyIds) => ifAlive(() => leases.current(nodeId, keyIds)),
    ask: (...wish) => ifAlive(() => leases.ask(...wish)),
    heartbeat: (nodeId, forMs) => ifAlive(() => leases.heartbeat(nodeId, forMs)),
    giveBackExpired: () => ifAlive(() => leases.giveBackExpired()),
  }
}
