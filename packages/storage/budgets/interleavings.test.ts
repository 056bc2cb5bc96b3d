import { setTimeout } from 'node:timers/promises'
import {
  BudgetSet,
  HardBudget,
  SpendBook,
  type Budget,
  type LeaseBookOptions,
  type Spender,
} from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, type Storage } from '../open-storage.ts'
import { fundedKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const limitPico = 100n
const dayMs = 86_400_000
/** The lease term of a node that hangs: it is over before a test checks it. */
const shortLeaseMs = 40
const longLeaseMs = 60_000
const rounds = 8
const lockedMs = 200

/** A statement that locks the row on one connection for a moment. */
const lockFor = (budgetId: string): string =>
  `SELECT 1 FROM budget_leases WHERE budget_id = '${budgetId}' FOR UPDATE;
    SELECT pg_sleep(${lockedMs / 1_000})`

/** Interleavings of budget operations on two nodes, each with its own connections. */
onEachEngine((opened) => {
  let other: Storage
  beforeAll(async () => {
    other = await openStorage(opened().database.options)
  })
  afterAll(() => other.close())

  async function budgeted(): Promise<{ key: ApiKey; budget: Budget; hard: HardBudget }> {
    const key = await fundedKey(opened().storage, 1_000_000n)
    const { accountId } = key
    const on = { accountId, name: 'b', scope: 'organization', subject: '', period: 'day' } as const
    const newBudget = { ...on, limitPico, isHard: true, notifyPercents: [] }
    const made = await opened().storage.budgets.create(newBudget, Date.now())
    if (!('budget' in made)) throw new Error(made.refused)
    return { key, budget: made.budget, hard: new HardBudget(made.budget) }
  }

  const spenderOf = (key: ApiKey, hard: HardBudget, startedAtMs = Date.now()): Spender => ({
    keyId: key.id,
    startedAtMs,
    budgets: new BudgetSet([hard]),
  })

  const bookOf = (storage: Storage, nodeId: string, options = {}): SpendBook =>
    new SpendBook(storage, nodeId, { askMs: 50, leaseMs: longLeaseMs, ...options })

  async function held(book: SpendBook, spender: Spender, pico: bigint) {
    const result = await book.hold(spender, pico)
    if (!('hold' in result)) throw new Error('refused')
    return result.hold
  }

  /** What was spent in the period that contains this time. */
  const spentAt = async (budget: Budget, atMs: number) =>
    (await opened().storage.budgets.findSpent([budget], atMs)).get(budget.id)!

  async function expectTrueBooks(): Promise<void> {
    expect((await opened().storage.ledger.verify()).differences).toEqual([])
  }

  describe('nodes and budgets', () => {
    it('7: a clock that is a day ahead leases from tomorrow, and leaves today as it is', async () => {
      const { key, budget, hard } = await budgeted()
      const [today, tomorrow] = [Date.now(), Date.now() + dayMs]
      const nodes = [`node_${uniqueText()}`, `node_${uniqueText()}`]
      const [slow, fast] = [bookOf(opened().storage, nodes[0]!), bookOf(other, nodes[1]!)]
      await held(slow, spenderOf(key, hard, today), limitPico)
      const ahead = await held(fast, spenderOf(key, hard, tomorrow), limitPico)
      for (const [book, atMs] of [[slow, tomorrow] as const, [fast, today] as const])
        expect(await book.hold(spenderOf(key, hard, atMs), 1n)).toHaveProperty('refused')
      fast.settle(ahead, 70n)
      const budgetLeases = hard.leaseId(tomorrow)
      const record = newRecord(key, { chargePico: 70n, startedAtMs: tomorrow, budgetLeases })
      await other.requests.write(nodes[1]!, [record])
      expect(await spentAt(budget, today)).toEqual({ spentPico: 0n, reservedPico: limitPico })
      expect(await spentAt(budget, tomorrow)).toEqual({ spentPico: 70n, reservedPico: limitPico - 70n })
      await expectTrueBooks()
    })

    it('10: a process that hung past its term spends nothing of its leases', async () => {
      const { key, budget, hard } = await budgeted()
      const [stopped, lively] = [`node_${uniqueText()}`, `node_${uniqueText()}`]
      let nowMs = 0
      const clock: LeaseBookOptions['clock'] = { monotonicMs: () => nowMs, wallMs: () => nowMs }
      const book = bookOf(opened().storage, stopped, { leaseMs: shortLeaseMs, clock })
      await book.renew()
      const spender = spenderOf(key, hard)
      const running = await held(book, spender, 30n)
      expect(book.freePico(spender)).toBeGreaterThan(0n)
      nowMs += 10 * shortLeaseMs
      await expect.poll(() => other.leases.giveBackExpired(), { timeout: 10_000 }).toContain(stopped)
      await held(bookOf(other, lively), spender, limitPico)
      // As it wakes up, before it has made any request.
      expect(book.tryHold(spender, 1n)).toBeUndefined()
      expect(book.tryExtend(running, 1n)).toBe(false)
      expect(await book.hold(spender, 1n)).toHaveProperty('refused')
      expect(await spentAt(budget, Date.now())).toEqual({ spentPico: 0n, reservedPico: limitPico })
      // Its running requests are still posted and counted: this is the only allowed excess.
      book.settle(running, 30n)
      const record = newRecord(key, {
        chargePico: 30n,
        startedAtMs: Date.now(),
        budgetLeases: hard.leaseId(Date.now()),
      })
      const { chargedPico, leases } = await opened().storage.requests.write(stopped, [record])
      book.flushed(chargedPico, leases)
      expect(book.budgetTotals()).toMatchObject({ heldPico: 0n, unflushedPico: 0n })
      expect(await spentAt(budget, Date.now())).toEqual({ spentPico: 30n, reservedPico: limitPico })
      await expectTrueBooks()
    })

    it('11: a lease that a node reads after its heartbeat is not taken away behind its back', async () => {
      const { database } = opened()
      for (let round = 0; round < rounds; round++) {
        const { key, budget, hard } = await budgeted()
        const nodeId = `node_${uniqueText()}`
        const { leases, budgetLeases } = opened().storage
        const leaseId = hard.leaseId(Date.now())
        await leases.heartbeat(nodeId, 1)
        await leases.take(nodeId, key.id, 10n, 10n, Date.now())
        await budgetLeases.take(nodeId, leaseId, 10n, 10n, Date.now())
        await setTimeout(5)
        // Whoever ends the budget leases waits here, after those of credit.
        const locked = database.engine === 'postgres' ? database.execute(lockFor(budget.id)) : undefined
        await setTimeout(locked === undefined ? 0 : lockedMs / 4)
        const read = async () => [
          (await leases.current(nodeId, [key.id])).get(key.id)!.pico,
          (await budgetLeases.current(nodeId, [leaseId])).get(leaseId)!.pico,
        ]
        const [known] = await Promise.all([
          (async () => {
            const expiries = await leases.heartbeat(nodeId, longLeaseMs)
            return { expiries, leases: await read() }
          })(),
          other.leases.giveBackExpired(),
        ])
        await locked
        expect({ expiries: await leases.heartbeat(nodeId, longLeaseMs), leases: await read() }).toEqual(known)
      }
    })

    it('20: a row that the database sets aside is reported to its node, and counted nowhere', async () => {
      const { key, budget, hard } = await budgeted()
      const nodeId = `node_${uniqueText()}`
      const { storage } = opened()
      const book = bookOf(storage, nodeId)
      const spender = spenderOf(key, hard)
      const [bad, good] = [await held(book, spender, 20n), await held(book, spender, 30n)]
      const budgetLeases = hard.leaseId(Date.now())
      const common = { startedAtMs: Date.now(), budgetLeases }
      const rows = [
        newRecord(key, { ...common, chargePico: 20n, priceVersion: null, pricing: null }),
        newRecord(key, { ...common, chargePico: 30n }),
      ]
      book.settle(bad, 20n)
      book.settle(good, 30n)
      const written = await storage.requests.write(nodeId, rows)
      expect(written.refused.map(({ requestId }) => requestId)).toEqual([rows[0]!.id])
      book.flushed(written.chargedPico, written.leases)
      expect(book.budgetTotals()).toMatchObject({ heldPico: 0n, unflushedPico: 0n })
      expect(book.totals()).toMatchObject({ heldPico: 0n, unflushedPico: 0n })
      expect((await spentAt(budget, Date.now())).spentPico).toBe(30n)
      await held(book, spender, limitPico - 30n)
      expect(await spentAt(budget, Date.now())).toEqual({ spentPico: 30n, reservedPico: limitPico - 30n })
      await expectTrueBooks()
    })
  })
})
