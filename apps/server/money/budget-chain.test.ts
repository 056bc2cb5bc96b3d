import { AccountBudgets, type Budget, type Hold, type NewBudget } from '@turnpike/billing'
import { KeyOwnerRefused } from '@turnpike/identity'
import { spendPeriodAt } from '@turnpike/protocol'
import { openStorage, type Storage } from '@turnpike/storage'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  invite,
  newOrganization,
  type MadeKey,
} from '../../../packages/storage/organizations/testing/organization.ts'
import { grant, uniqueText } from '../../../packages/storage/testing/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '../../../packages/storage/testing/test-database.ts'
import { CreditNode } from './testing/credit-node.ts'

const creditPico = 1_000_000n
const tags = ['team:a', 'team:b']
const dayMs = 86_400_000

/** Events of an organization with budgets: on nodes, budgets and members, and the turn of the day. */
type Step =
  /** `late`: the request began before the last turn of the day. */
  | { does: 'hold'; node: number; key: number; amount: number; tags: number; late: boolean }
  | { does: 'settle' | 'extend'; node: number; which: number; amount: number }
  | { does: 'flush' | 'kill'; node: number }
  | { does: 'make'; scope: number; limit: number }
  | { does: 'limit'; which: number; limit: number }
  | { does: 'soft' | 'delete'; which: number }
  | { does: 'rotate' | 'hand-over'; key: number }
  | { does: 'remove' | 'turn' }

const node = fc.nat(2)
const which = fc.nat(20)
const key = fc.nat(1)
const limit = fc.integer({ min: 0, max: 400 })
const of = <Does extends string>(...does: Does[]) => fc.constantFrom(...does)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: of('hold'),
      node,
      key,
      amount: fc.integer({ min: 1, max: 60 }),
      tags: fc.nat(3),
      late: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      does: of('settle', 'extend'),
      node,
      which,
      amount: fc.integer({ min: 1, max: 130 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: of('flush'), node }) },
  { weight: 1, arbitrary: fc.record({ does: of('kill'), node }) },
  { weight: 2, arbitrary: fc.record({ does: of('make'), scope: fc.nat(6), limit }) },
  { weight: 1, arbitrary: fc.record({ does: of('limit'), which, limit }) },
  { weight: 1, arbitrary: fc.record({ does: of('soft', 'delete'), which }) },
  { weight: 2, arbitrary: fc.record({ does: of('rotate', 'hand-over'), key }) },
  { weight: 2, arbitrary: fc.record({ does: of('remove', 'turn') }) },
)

/** A budget, and the highest limit that it ever had. */
interface Allowed {
  budget: Budget
  mostPico: bigint
}

/** A member who is removed and joins again. */
interface Person {
  personId: string
  memberId: string
}

/** Ignores the refusal that a key's member is being removed at this moment. */
function ofNobody(error: unknown): undefined {
  if (!(error instanceof KeyOwnerRefused)) throw error
}

class Run {
  readonly #storage: Storage
  readonly #accountId: string
  readonly #member: Person
  readonly #projectId: string
  readonly #keys: MadeKey[]
  readonly #nodes: CreditNode[]
  #nowMs = Date.now()
  #removal: Promise<void> | undefined
  #turned = false
  readonly #budgets: Allowed[] = []
  /** By budget: charges beyond what was held of it (docs/contract.md, 4.5). */
  readonly #unheldPico = new Map<string, bigint>()
  /** Budgets that did not bind for a moment. */
  readonly #wereSoft = new Set<string>()

  private constructor(
    storage: Storage,
    { member, projectId, keys }: { member: Person; projectId: string; keys: MadeKey[] },
    nodes: CreditNode[],
  ) {
    this.#storage = storage
    this.#accountId = keys[0]!.accountId
    this.#member = member
    this.#projectId = projectId
    this.#keys = keys
    this.#nodes = nodes
  }

  static async start(storage: Storage, engine: string): Promise<Run> {
    const organization = await newOrganization(storage)
    const { id: accountId } = organization
    const member = await organization.join('developer')
    const project = { accountId, name: 'p', most: 10 }
    const { id: projectId } = await storage.projects.create(project, Date.now())
    const first = await organization.key(member.memberId)
    await grant(storage, accountId, creditPico)
    const second = await organization.key(null, { projectId, drawsOn: first.id })
    const log = { warn: () => undefined, error: () => undefined, info: () => undefined }
    const nodes: CreditNode[] = []
    for (let number = 0; number < (engine === 'sqlite' ? 1 : 3); number++)
      nodes.push(await CreditNode.start(storage, first.accountId, `node_${uniqueText()}`, log))
    return new Run(storage, { member, projectId, keys: [first, second] }, nodes)
  }

  /** The budgets of a key's request, as nodes read them. */
  async #under(keyId: string, chosen: readonly string[]) {
    const { rows } = await this.#storage.budgets.list(this.#accountId, { limit: 200 })
    const known = new AccountBudgets(rows.filter(({ isHard }) => isHard))
    const key = await this.#storage.apiKeys.find(this.#accountId, keyId)
    const { memberId = null, projectId = null } = key ?? {}
    const own = known.ofKey({ id: keyId, memberId, projectId })
    return { budgets: known.ofRequest(own, chosen, ['openai/gpt-5-mini']), tags: [...chosen] }
  }

  async take(step: Step): Promise<void> {
    switch (step.does) {
      case 'make': {
        const made = await this.#storage.budgets.create(this.#newBudget(step), this.#nowMs)
        if ('budget' in made) this.#budgets.push({ budget: made.budget, mostPico: made.budget.limitPico })
        return
      }
      case 'limit':
      case 'soft':
      case 'delete':
        return this.#change(step)
      case 'rotate': {
        const { accountId, id: keyId } = this.#keys[step.key]!
        const rotation = { accountId, keyId, keyPrefix: 'p', keyHash: uniqueText(), graceMs: 60_000 }
        const rotated = await this.#storage.apiKeys.rotate(rotation, Date.now()).catch(ofNobody)
        if (rotated !== undefined && 'key' in rotated)
          this.#keys[step.key] = { ...rotated.key, secret: rotation.keyHash }
        return
      }
      case 'hand-over': {
        const { accountId, id: keyId, secret } = this.#keys[step.key]!
        const memberId = step.key === 0 ? this.#member.memberId : null
        const wish = { accountId, keyId, memberId, projectId: this.#projectId }
        const handed = await this.#storage.apiKeys.handOver(wish, Date.now()).catch(ofNobody)
        if (handed !== undefined && 'key' in handed) this.#keys[step.key] = { ...handed.key, secret }
        return
      }
      case 'remove':
        // A second removal at the same time would not find the member.
        this.#removal ??= this.#remove().finally(() => (this.#removal = undefined))
        return this.#removal
      case 'turn':
        // Only once, because charges of an earlier day are posted to that day.
        if (!this.#turned) this.#nowMs += dayMs
        this.#turned = true
        return
      default:
        return this.#takeOn(this.#nodes[step.node % this.#nodes.length]!, step)
    }
  }

  /** Removes the member, whose keys then belong to the organization; the member joins again. */
  async #remove(): Promise<void> {
    const { organizations, apiKeys } = this.#storage
    const { personId, memberId } = this.#member
    const removal = { keysGo: 'organization', by: null } as const
    await organizations.removeMember(this.#accountId, memberId, removal, Date.now())
    await organizations.finishRemovals(Date.now(), memberId)
    const code = await invite(this.#storage, this.#accountId, 'developer', null)
    await organizations.acceptInvitation(code, personId, Date.now())
    const known = await apiKeys.findByHashes(this.#keys.map(({ secret }) => secret))
    for (const [at, key] of this.#keys.entries()) {
      const found = await apiKeys.find(this.#accountId, known.get(key.secret)?.id ?? key.id)
      if (found !== undefined) this.#keys[at] = { ...found, secret: key.secret }
    }
  }

  #newBudget({ scope, limit }: { scope: number; limit: number }): NewBudget {
    const on = [
      { scope: 'organization', subject: '' },
      { scope: 'tag', subject: tags[0]! },
      { scope: 'tag', subject: tags[1]! },
      { scope: 'key', subject: this.#keys[0]!.id },
      { scope: 'model', subject: 'openai/gpt-5-mini' },
      { scope: 'member', subject: this.#member.memberId },
      { scope: 'project', subject: this.#projectId },
    ] as const
    const period = (['day', 'week', 'month', 'total'] as const)[limit % 4]!
    const common = { accountId: this.#accountId, name: 'b', isHard: true, notifyPercents: [] }
    return { ...common, ...on[scope]!, period, limitPico: BigInt(limit) }
  }

  async #change(step: Extract<Step, { which: number }> & { does: string }): Promise<void> {
    const at = step.which % Math.max(1, this.#budgets.length)
    const allowed = this.#budgets[at]
    if (allowed === undefined) return
    const { accountId, id } = allowed.budget
    if (step.does === 'delete') {
      // Before anything is awaited: deletions run at once, and each one moves the places of the rest.
      this.#budgets.splice(at, 1)
      await this.#storage.budgets.remove(accountId, id, Date.now())
    } else if ('limit' in step) {
      const limitPico = BigInt(step.limit)
      await this.#storage.budgets.update(accountId, id, { limitPico }, Date.now())
      if (limitPico > allowed.mostPico) allowed.mostPico = limitPico
    } else {
      this.#wereSoft.add(id)
      for (const isHard of [false, true])
        await this.#storage.budgets.update(accountId, id, { isHard }, Date.now())
    }
    await Promise.all(this.#nodes.map((one) => one.budgetChanged(id)))
  }

  async #takeOn(one: CreditNode, step: Extract<Step, { node: number }>): Promise<void> {
    switch (step.does) {
      case 'hold': {
        const { id } = this.#keys[step.key]!
        const chosen = tags.filter((_, at) => (step.tags & (1 << at)) !== 0)
        const startedAtMs = step.late && this.#turned ? this.#nowMs - dayMs : this.#nowMs
        await one.hold(id, BigInt(step.amount), await this.#under(id, chosen), startedAtMs)
        return
      }
      case 'extend':
        return one.extend(step.which, BigInt(step.amount))
      case 'settle': {
        const running = one.running[step.which % Math.max(1, one.running.length)]
        if (running === undefined) return
        const { hold } = running
        const chargePico = one.settle(step.which, step.amount)
        for (const { budget } of this.#budgets) {
          const beyondPico = chargePico - this.#heldPico(hold, budget)
          if (beyondPico > 0n)
            this.#unheldPico.set(budget.id, (this.#unheldPico.get(budget.id) ?? 0n) + beyondPico)
        }
        return
      }
      case 'flush':
        return one.flush()
      case 'kill':
        return one.kill()
    }
  }

  /** The part of a charge that the budget bounded: the hold, unless it was soft while the hold grew. */
  #heldPico(hold: Hold, budget: Budget): bigint {
    const at = hold.budgets?.set.budgets.findIndex(({ rule }) => rule.id === budget.id) ?? -1
    if (at === -1) return 0n
    return this.#wereSoft.has(budget.id) ? (hold.budgetPico?.[at] ?? hold.amountPico) : hold.amountPico
  }

  async end(): Promise<void> {
    for (const one of this.#nodes) {
      while (one.running.length > 0)
        await this.#takeOn(one, { does: 'settle', node: 0, which: 0, amount: 100 })
      await one.flush()
    }
    for (const one of this.#nodes) await one.stop()
    for (const atMs of this.#turned ? [this.#nowMs - dayMs, this.#nowMs] : [this.#nowMs])
      await this.#expectBounds(atMs)
    const { differences } = await this.#storage.ledger.verify()
    expect(differences).toEqual([])
  }

  /** Checks the periods that contain this time. */
  async #expectBounds(atMs: number): Promise<void> {
    const { rows } = await this.#storage.budgets.list(this.#accountId, { limit: 200 })
    const spent = await this.#storage.budgets.findSpent(rows, atMs)
    for (const { budget, mostPico } of this.#budgets) {
      const { spentPico, reservedPico } = spent.get(budget.id)!
      expect(reservedPico, 'leases are stuck').toBe(0n)
      // The budget could not limit what was spent in a period that ended before it was created.
      if (spendPeriodAt(budget.period, atMs).endsAtMs <= budget.createdAtMs) continue
      const beforePico = this.#beforePico.get(budget.id) ?? 0n
      const boundPico = mostPico + (this.#unheldPico.get(budget.id) ?? 0n) + beforePico
      expect(spentPico <= boundPico, `${spentPico} of ${boundPico} spent`).toBe(true)
    }
  }

  readonly #beforePico = new Map<string, bigint>()

  /** Notes what was posted before a budget was created, because the budget could not limit it. */
  async noteBefore(): Promise<void> {
    const { rows } = await this.#storage.budgets.list(this.#accountId, { limit: 200 })
    const spent = await this.#storage.budgets.findSpent(rows, this.#nowMs)
    for (const { id } of rows)
      if (!this.#beforePico.has(id)) this.#beforePico.set(id, spent.get(id)!.spentPico)
    // Charges that wait in an outbox were made without the budget.
    for (const { id } of rows) {
      if (this.#noted.has(id)) continue
      this.#noted.add(id)
      const waiting = this.#nodes.flatMap((one) => one.outbox)
      const sum = waiting.reduce((total, { chargePico }) => total + chargePico, 0n)
      this.#unheldPico.set(id, (this.#unheldPico.get(id) ?? 0n) + sum)
    }
  }

  readonly #noted = new Set<string>()
}

describe.each(['sqlite', 'postgres'] as const)('budgets in any order of events, %s', (engine) => {
  const isThere = engine === 'sqlite' || inject('postgresUrl') !== null
  const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
  let database: TestDatabase
  let storage: Storage

  beforeAll(async () => {
    if (!isThere) return
    database = await createTestDatabase(engine)
    storage = await openStorage(database.options)
  })
  afterAll(async () => {
    if (!isThere) return
    await storage.close()
    await database.drop()
  })

  it.skipIf(!isThere)(
    `never allow more than their limits, and agree with the ledger (seed ${seed})`,
    async () => {
      const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })
      const property = fc.asyncProperty(steps, async (all) => {
        const run = await Run.start(storage, engine)
        for (let at = 0; at < all.length; at += 4) {
          const batch = all.slice(at, at + 4)
          // Budgets are created between requests, so that what began earlier is known.
          for (const one of batch.filter(({ does }) => does === 'make')) await run.take(one)
          await run.noteBefore()
          await Promise.all(batch.filter(({ does }) => does !== 'make').map((one) => run.take(one)))
        }
        await run.end()
      })
      await fc.assert(property, { seed, numRuns: 12, endOnFailure: true })
    },
    300_000,
  )
})
