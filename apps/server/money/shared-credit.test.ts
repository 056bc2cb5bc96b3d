import { PayerRefused, type ApiKey } from '@turnpike/identity'
import type { Storage } from '@turnpike/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newAccount, uniqueText } from '../../../packages/storage/testing/fixtures.ts'
import { randomSeed } from '../../../packages/storage/testing/random.ts'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { CreditNode } from './testing/credit-node.ts'

/** A step of a test run; `key`, `other` and `node` are indexes. Amounts are in the hundreds. */
type Step =
  | { does: 'hold'; key: number; node: number; amount: number }
  | { does: 'settle'; node: number; which: number; percent: number }
  | { does: 'extend'; node: number; which: number; amount: number }
  | { does: 'give-back'; key: number; node: number }
  | { does: 'flush' | 'kill'; node: number }
  | { does: 'create'; payer: number | 'default' | undefined; limit: number | undefined }
  /** Through the API, which first recalls idle credit; or directly in the store, as in a race. */
  | { does: 'draw'; key: number; other: number | undefined; node: number; isAsked: boolean }
  | { does: 'revoke'; key: number; node: number }
  | { does: 'rotate'; key: number; graceMs: number }
  | { does: 'transfer'; key: number; other: number; amount: number; node: number }
  | { does: 'grant' | 'refund'; key: number | undefined; amount: number }

const key = fc.nat(5)
const node = fc.nat(2)
const which = fc.nat(9)
const amount = fc.integer({ min: 1, max: 300 })
const maybe = <Value>(one: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(one, { nil: undefined })
const does = <Name extends Step['does']>(...names: [Name, ...Name[]]): fc.Arbitrary<Name> =>
  fc.constantFrom(...names)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: does('hold'), key, node, amount }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: does('settle'),
      node,
      which,
      percent: fc.constantFrom(0, 1, 50, 99, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: does('flush'), node }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: does('draw'), key, other: maybe(key), node, isAsked: fc.boolean() }),
  },
  fc.record({ does: does('extend'), node, which, amount }),
  fc.record({ does: does('give-back'), key, node }),
  fc.record({ does: does('kill'), node }),
  fc.record({
    does: does('create'),
    payer: fc.oneof(fc.constant('default' as const), maybe(key)),
    limit: maybe(amount),
  }),
  fc.record({ does: does('revoke'), key, node }),
  fc.record({ does: does('rotate'), key, graceMs: fc.constantFrom(0, 60_000) }),
  fc.record({ does: does('transfer'), key, other: key, amount, node }),
  fc.record({ does: does('grant', 'refund'), key: maybe(key), amount }),
)

const firstPico = 1_000n
const creationMs = { at: Date.now() }

interface Left {
  idlePico: bigint
  coveredPico: bigint
  mostPico: bigint
  /** Held by running requests of all of the account's keys, or spent and not yet posted. */
  spokenForPico: bigint
}

function sumOf(keys: readonly ApiKey[]): bigint {
  return keys.reduce((sum, { balancePico }) => sum + balancePico, 0n)
}

/** One account on some nodes, and the balance that it should end with. */
class Run {
  readonly #storage: Storage
  readonly #accountId: string
  readonly #nodes: CreditNode[]
  readonly #keyIds: string[] = []
  /** For each rotated key, its successor. */
  readonly #successors = new Map<string, string>()
  readonly spentPico = new Map<string, bigint>()
  expectedPico = firstPico
  isRefunded = false

  private constructor(storage: Storage, accountId: string, nodes: CreditNode[]) {
    this.#storage = storage
    this.#accountId = accountId
    this.#nodes = nodes
  }

  static async start(storage: Storage, nodeCount: number): Promise<Run> {
    const { id } = await newAccount(storage)
    const log = { info: unheard, warn: unheard, error: unheard }
    const nodes = await Promise.all(
      Array.from({ length: nodeCount }, () => CreditNode.start(storage, id, `node_${uniqueText()}`, log)),
    )
    const run = new Run(storage, id, nodes)
    for (let count = 0; count < 3; count++) await run.#create('default', undefined)
    await run.#move('grant', undefined, firstPico)
    run.expectedPico = firstPico
    return run
  }

  #key(number: number): string {
    return this.#keyIds[number % this.#keyIds.length]!
  }

  #node(number: number): CreditNode {
    return this.#nodes[number % this.#nodes.length]!
  }

  async take(step: Step, isAlone: boolean): Promise<void> {
    switch (step.does) {
      case 'hold':
        return this.#hold(this.#node(step.node), this.#key(step.key), BigInt(step.amount), isAlone)
      case 'settle':
        return this.#settle(this.#node(step.node), step.which, step.percent)
      case 'extend':
        return this.#node(step.node).extend(step.which, BigInt(step.amount))
      case 'give-back':
        return this.#node(step.node).giveBack(this.#key(step.key))
      case 'flush':
        return this.#node(step.node).flush()
      case 'kill':
        return this.#node(step.node).kill()
      case 'create':
        return this.#create(typeof step.payer === 'number' ? this.#key(step.payer) : step.payer, step.limit)
      case 'draw':
        return this.#draw(step)
      case 'revoke':
        await this.#storage.apiKeys.revoke(this.#accountId, this.#key(step.key), Date.now())
        return this.#node(step.node).release(this.#key(step.key))
      case 'rotate':
        return this.#rotate(this.#key(step.key), step.graceMs)
      case 'transfer':
        return this.#transfer(step)
      default:
        return this.#move(
          step.does,
          step.key === undefined ? undefined : this.#key(step.key),
          BigInt(step.amount),
        )
    }
  }

  /** Holds credit as a caller does: a key in its grace period acts for its successor. */
  async #hold(node: CreditNode, ofKey: string, amountPico: bigint, isAlone: boolean): Promise<void> {
    let keyId = ofKey
    for (let next = this.#successors.get(keyId); next !== undefined; next = this.#successors.get(next))
      keyId = next
    const key = await this.#find(keyId)
    if (key.status !== 'active') return
    const before = isAlone ? await this.#leftFor(key) : undefined
    const result = await node.hold(keyId, amountPico)
    if (before === undefined || result === undefined) return
    if ('hold' in result) {
      expect(before.mostPico, 'held beyond what there is').toBeGreaterThanOrEqual(amountPico)
      return
    }
    expect(before.idlePico, 'idle, and yet refused').toBeLessThan(amountPico)
    if (result.refused.waitingHelps) expect(before.spokenForPico, 'nothing to wait for').toBeGreaterThan(0n)
    else expect(before.coveredPico, 'waiting would help').toBeLessThan(amountPico)
  }

  /**
   * What a key may use under its payer's credit, its account's credit and its own limit: counting the
   * credit that running requests hold (`covered`), and without it (`idle`). Leases of revoked and replaced
   * keys may have returned more to the payer by then (`most`).
   */
  async #leftFor(key: ApiKey): Promise<Left> {
    const keys = await Promise.all(this.#keyIds.map((id) => this.#find(id)))
    const { unassignedPico } = (await this.#storage.accounts.find(this.#accountId))!
    const spent = (await this.#storage.apiKeys.readSpend(this.#accountId, [key], Date.now())).get(key.id)
    const payerId = key.drawsOn ?? key.id
    const payer = keys.find(({ id }) => id === payerId)!
    const sharers = keys.filter(({ id, drawsOn }) => (drawsOn ?? id) === payerId)
    const retired = keys.filter((one) => one.status !== 'active' || one.replacedBy !== null)
    // A revoked key that draws on the payer is in both.
    const either = [...new Set([...sharers, ...retired])]
    const line = keys.filter(({ id }) => id === key.id || this.#leadsTo(id, key.id))
    const bounds: [creditPico: bigint, by: ApiKey[]][] = [[sumOf(keys) + unassignedPico, keys]]
    if (key.spendLimitPico !== null) bounds.push([key.spendLimitPico - (spent ?? 0n), line])
    const least = (what: 'spokenForPico' | 'unpostedPico', pico: bigint, by: ApiKey[]): bigint =>
      [[pico, by] as const, ...bounds]
        .map(([creditPico, users]) => creditPico - this.#sum(users, what))
        .reduce((lowest, one) => (one < lowest ? one : lowest))
    return {
      idlePico: least('spokenForPico', payer.balancePico, sharers),
      coveredPico: least('unpostedPico', payer.balancePico, sharers),
      mostPico: least('unpostedPico', payer.balancePico + sumOf(retired), either),
      spokenForPico: this.#sum(keys, 'spokenForPico'),
    }
  }

  #leadsTo(keyId: string, successor: string): boolean {
    const next = this.#successors.get(keyId)
    return next !== undefined && (next === successor || this.#leadsTo(next, successor))
  }

  #sum(keys: readonly ApiKey[], what: 'spokenForPico' | 'unpostedPico'): bigint {
    return this.#nodes
      .flatMap((node) => keys.map(({ id }) => node[what](id)))
      .reduce((sum, pico) => sum + pico, 0n)
  }

  async #settle(node: CreditNode, which: number, percent: number): Promise<void> {
    const keyId = node.running[which % Math.max(1, node.running.length)]?.keyId
    if (keyId === undefined) return
    const chargePico = node.settle(which, percent)
    this.expectedPico -= chargePico
    this.spentPico.set(keyId, (this.spentPico.get(keyId) ?? 0n) + chargePico)
  }

  async #find(keyId: string): Promise<ApiKey> {
    return (await this.#storage.apiKeys.find(this.#accountId, keyId))!
  }

  async #create(drawsOn: string | undefined, limit: number | undefined): Promise<void> {
    const limits = {
      spendLimitPico: limit === undefined ? null : BigInt(limit),
      spendLimitPeriod: limit === undefined ? null : ('total' as const),
    }
    const others = { expiresAtMs: null, allowedModels: null, drawsOn: drawsOn ?? null }
    const key = { accountId: this.#accountId, name: 'k', keyPrefix: 'p', keyHash: uniqueText() }
    const made = this.#storage.apiKeys.create({ ...key, ...limits, ...others }, (creationMs.at += 10))
    await refusable(made.then(({ id }) => void this.#keyIds.push(id)))
  }

  async #draw({ key, other, node, isAsked }: Step & { does: 'draw' }): Promise<void> {
    const keyId = this.#key(key)
    if (isAsked) await this.#node(node).release(keyId)
    const drawsOn = other === undefined ? null : this.#key(other)
    await refusable(this.#storage.apiKeys.update(this.#accountId, keyId, { drawsOn }))
    await this.#node(node).release(keyId)
  }

  async #rotate(keyId: string, graceMs: number): Promise<void> {
    const rotation = { accountId: this.#accountId, keyId, keyPrefix: 'p', keyHash: uniqueText(), graceMs }
    const result = await this.#storage.apiKeys.rotate(rotation, (creationMs.at += 10))
    if (!('key' in result)) return
    this.#keyIds.push(result.key.id)
    this.#successors.set(keyId, result.key.id)
  }

  async #transfer({ key, other, amount, node }: Step & { does: 'transfer' }): Promise<void> {
    const move = { accountId: this.#accountId, fromKeyId: this.#key(key), toKeyId: this.#key(other) }
    await this.#node(node).release(move.fromKeyId)
    await this.#storage.ledger.transferBetweenKeys(
      { ...move, amountPico: BigInt(amount), reference: uniqueText() },
      Date.now(),
    )
  }

  async #move(kind: 'grant' | 'refund', keyId: string | undefined, amount: bigint): Promise<void> {
    const amountPico = kind === 'grant' ? amount : -amount
    const movement = { accountId: this.#accountId, kind, amountPico, reference: uniqueText(), reason: null }
    const result = await this.#storage.ledger.move(
      { ...movement, ...(keyId !== undefined && { keyId }) },
      Date.now(),
    )
    if ('refused' in result) return
    this.expectedPico += amountPico
    this.isRefunded ||= kind === 'refund'
  }

  /** Ends all requests at what they held, posts all charges, and returns all leases. */
  async end(): Promise<void> {
    for (const node of this.#nodes) while (node.running.length > 0) await this.#settle(node, 0, 100)
    await Promise.all(this.#nodes.map((node) => node.stop()))
    const account = (await this.#storage.accounts.find(this.#accountId))!
    expect(account.balancePico + account.unassignedPico).toBe(this.expectedPico)
    for (const keyId of this.#keyIds) await this.#compareKey(await this.#find(keyId))
    expect(await this.#storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  async #compareKey(key: ApiKey): Promise<void> {
    const { id, status, drawsOn, balancePico, spendLimitPico } = key
    if (!this.isRefunded) expect(balancePico, `credit of ${id}`).toBeGreaterThanOrEqual(0n)
    if (status === 'revoked' || drawsOn !== null) expect(balancePico, `credit of ${id}`).toBe(0n)
    const spent = this.spentPico.get(id) ?? 0n
    if (spendLimitPico !== null) expect(spent, `spent by ${id}`).toBeLessThanOrEqual(spendLimitPico)
  }
}

function unheard(): void {}

/** Allows the change of payer to be refused, in which case nothing has changed. */
async function refusable(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof PayerRefused)) throw error
  })
}

onEachEngine((opened) => {
  describe('the credit that keys share', () => {
    const seed = randomSeed()
    // The embedded database has one node.
    const nodesOf = (engine: string): number => (engine === 'sqlite' ? 1 : 3)

    async function check(steps: readonly Step[], atOnce: number): Promise<void> {
      const { storage, database } = opened()
      const run = await Run.start(storage, nodesOf(database.engine))
      try {
        for (let index = 0; index < steps.length; index += atOnce)
          await Promise.all(steps.slice(index, index + atOnce).map((one) => run.take(one, atOnce === 1)))
      } finally {
        await run.end()
      }
    }

    it(`is never refused if it covers a request, one step after the other (seed ${seed})`, async () => {
      const steps = fc.array(step, { minLength: 10, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(steps, (steps) => check(steps, 1)),
        { seed, numRuns: 20 },
      )
    }, 120_000)

    // Races do not repeat, so shrinking would be useless.
    it(`is neither lost, created nor overspent, with many steps at once (seed ${seed})`, async () => {
      const steps = fc.array(step, { minLength: 20, maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(steps, (steps) => check(steps, 6)),
        { seed, numRuns: 15, endOnFailure: true },
      )
    }, 120_000)
  })
})
