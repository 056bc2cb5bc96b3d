import { PayerRefused } from '@turnpike/identity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../open-storage.ts'
import { grant, newAccount, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

/** A change to an account. `key` and `other` are indexes of its keys, including revoked ones. */
type Step =
  | { does: 'grant' | 'refund' | 'adjust'; key: number | undefined; amount: number }
  | { does: 'create'; draws: boolean }
  | { does: 'draw'; key: number; other: number | undefined }
  | { does: 'revoke'; key: number }
  | { does: 'rotate'; key: number; graceMs: number }
  | { does: 'transfer'; key: number; other: number; amount: number }
  | { does: 'take' | 'give-back'; key: number; node: number; amount: number }
  | { does: 'write'; key: number; node: number; charges: number[] }
  | { does: 'give-back-all'; node: number }

const key = fc.nat(3)
const node = fc.nat(2)
const amount = fc.integer({ min: 1, max: 300 })

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constantFrom('grant' as const, 'refund' as const, 'adjust' as const),
    key: fc.option(key, { nil: undefined }),
    amount,
  }),
  fc.record({ does: fc.constant('create' as const), draws: fc.boolean() }),
  fc.record({ does: fc.constant('draw' as const), key, other: fc.option(key, { nil: undefined }) }),
  fc.record({ does: fc.constant('revoke' as const), key }),
  fc.record({ does: fc.constant('rotate' as const), key, graceMs: fc.constantFrom(0, 60_000) }),
  fc.record({ does: fc.constant('transfer' as const), key, other: key, amount }),
  fc.record({ does: fc.constantFrom('take' as const, 'give-back' as const), key, node, amount }),
  fc.record({
    does: fc.constant('write' as const),
    key,
    node,
    charges: fc.array(amount, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ does: fc.constant('give-back-all' as const), node }),
)

const nodes = 3
const movementKinds = { grant: 'grant', refund: 'refund', adjust: 'adjustment' } as const

/** Runs steps on one account, and tracks the credit that they should leave. */
class Run {
  readonly #storage: Storage
  readonly #prefix = uniqueText()
  readonly #accountId: string
  readonly #keys: { id: string; accountId: string }[] = []
  expectedPico = 0n

  constructor(storage: Storage, accountId: string) {
    this.#storage = storage
    this.#accountId = accountId
  }

  async start(): Promise<void> {
    this.#keys.push(await newKey(this.#storage, this.#accountId))
    await grant(this.#storage, this.#accountId, 1_000n)
    this.expectedPico += 1_000n
  }

  async take(step: Step): Promise<void> {
    const { leases, apiKeys } = this.#storage
    switch (step.does) {
      case 'create':
        this.#keys.push(
          await newKey(this.#storage, this.#accountId, Date.now(), step.draws ? 'default' : null),
        )
        return
      case 'draw':
        await this.#draw(step.key, step.other)
        return
      case 'revoke':
        await apiKeys.revoke(this.#accountId, this.#key(step.key).id, Date.now())
        return
      case 'rotate':
        await this.#rotate(step.key, step.graceMs)
        return
      case 'take':
        await leases.take(this.#node(step.node), this.#key(step.key).id, 1n, BigInt(step.amount), Date.now())
        return
      case 'give-back':
        await leases.giveBack(this.#node(step.node), this.#key(step.key).id, BigInt(step.amount))
        return
      case 'give-back-all':
        await leases.giveBackAll(this.#node(step.node))
        return
      case 'transfer':
        await this.#transfer(step.key, step.other, step.amount)
        return
      case 'write':
        await this.#write(step.key, step.node, step.charges)
        return
      default:
        await this.#move(step.does, step.key, step.amount)
    }
  }

  async giveBackAll(): Promise<void> {
    for (let node = 0; node < nodes; node++) await this.#storage.leases.giveBackAll(this.#node(node))
  }

  async heldPico(): Promise<bigint> {
    const account = await this.#storage.accounts.find(this.#accountId)
    return account!.balancePico + account!.unassignedPico
  }

  #key(number: number): { id: string; accountId: string } {
    return this.#keys[number % this.#keys.length]!
  }

  #node(number: number): string {
    return `node_${this.#prefix}_${number}`
  }

  async #draw(key: number, other: number | undefined): Promise<void> {
    const drawsOn = other === undefined ? null : this.#key(other).id
    try {
      await this.#storage.apiKeys.update(this.#accountId, this.#key(key).id, { drawsOn })
    } catch (error) {
      if (!(error instanceof PayerRefused)) throw error
    }
  }

  async #rotate(key: number, graceMs: number): Promise<void> {
    const rotation = { accountId: this.#accountId, keyId: this.#key(key).id, keyPrefix: 'p', graceMs }
    const result = await this.#storage.apiKeys.rotate({ ...rotation, keyHash: uniqueText() }, Date.now())
    if ('key' in result) this.#keys.push(result.key)
  }

  async #transfer(from: number, to: number, amount: number): Promise<void> {
    await this.#storage.ledger.transferBetweenKeys(
      {
        accountId: this.#accountId,
        fromKeyId: this.#key(from).id,
        toKeyId: this.#key(to).id,
        amountPico: BigInt(amount),
        reference: uniqueText(),
      },
      Date.now(),
    )
  }

  /** Sent twice, as after a lost response. */
  async #write(key: number, node: number, charges: number[]): Promise<void> {
    const records = charges.map((charge) => newRecord(this.#key(key), { chargePico: BigInt(charge) }))
    await this.#storage.requests.write(this.#node(node), records)
    await this.#storage.requests.write(this.#node(node), records)
    this.expectedPico -= BigInt(charges.reduce((sum, charge) => sum + charge, 0))
  }

  async #move(does: 'grant' | 'refund' | 'adjust', key: number | undefined, amount: number): Promise<void> {
    const sign = does === 'refund' || (does === 'adjust' && amount % 2 === 0) ? -1n : 1n
    const amountPico = BigInt(amount) * sign
    const result = await this.#storage.ledger.move(
      {
        accountId: this.#accountId,
        ...(key !== undefined && { keyId: this.#key(key).id }),
        kind: movementKinds[does],
        amountPico,
        reference: uniqueText(),
        reason: null,
      },
      Date.now(),
    )
    if ('transfer' in result) this.expectedPico += amountPico
  }
}

onEachEngine((opened) => {
  describe('money', () => {
    const seed = Date.now() & 0x7fffffff
    const check = async (steps: Step[], parallel: number) => {
      const { storage } = opened()
      const run = new Run(storage, (await newAccount(storage)).id)
      await run.start()
      for (let index = 0; index < steps.length; index += parallel)
        await Promise.all(steps.slice(index, index + parallel).map((step) => run.take(step)))
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      await run.giveBackAll()
      expect(await run.heldPico()).toBe(run.expectedPico)
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    }

    it(`is neither lost nor created, step by step (seed ${seed})`, async () => {
      const steps = fc.array(step, { minLength: 5, maxLength: 30 })
      await fc.assert(
        fc.asyncProperty(steps, (steps) => check(steps, 1)),
        { seed, numRuns: 20 },
      )
    }, 60_000)

    // A race does not happen twice in the same way, so shrinking is off.
    it(`is neither lost nor created, concurrently (seed ${seed})`, async () => {
      const steps = fc.array(step, { minLength: 10, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(steps, (steps) => check(steps, 10)),
        { seed, numRuns: 15, endOnFailure: true },
      )
    }, 60_000)
  })
})
