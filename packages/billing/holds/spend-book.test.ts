import { describe, expect, it } from 'vitest'
import { BudgetSet, noBudgets } from '../budgets/budget-set.ts'
import { HardBudget } from '../budgets/hard-budget.ts'
import { heldOfBudget } from './hold.ts'
import { SpendBook, type Spender } from './spend-book.ts'
import { BudgetsInMemory } from './testing/budgets-in-memory.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

const dayMs = 86_400_000
/** A moment before midnight, UTC. */
const lateMs = 100 * dayMs - 1

function budget(id: string, changes: Partial<HardBudget['rule']> = {}): HardBudget {
  const rule = { id: `bud_${id}`, name: id, scope: 'tag', subject: id, period: 'day', limitPico: 0n } as const
  return new HardBudget({ ...rule, ...changes })
}

/** A node with budgets of these limits, and plenty of credit. */
function world(limits: Record<string, bigint>, creditPico = 1_000n) {
  const budgetLeases = new BudgetsInMemory(1)
  const budgets = Object.entries(limits).map(([id, limitPico]) => {
    budgetLeases.limitPico.set(`bud_${id}`, limitPico)
    return budget(id, { limitPico })
  })
  const leases = new OneKeyStore(1, creditPico)
  const book = new SpendBook({ leases, budgetLeases }, 'node', { askMs: 20 })
  const spender = (startedAtMs = lateMs): Spender => ({
    keyId: 'key',
    startedAtMs,
    budgets: new BudgetSet(budgets),
  })
  const heldPico = () => [book.totals().heldPico, book.budgetTotals().heldPico]
  return { book, budgetLeases, leases, budgets, spender, heldPico }
}

async function held(book: SpendBook, spender: Spender, pico: bigint) {
  const result = await book.hold(spender, pico)
  if (!('hold' in result)) throw new Error('refused')
  return result.hold
}

describe('a request’s hold', () => {
  it('is placed on the credit and all budgets, or on none', async () => {
    const { book, spender, heldPico } = world({ a: 100n, b: 60n, c: 100n })
    const hold = await held(book, spender(), 50n)
    expect(heldPico()).toEqual([50n, 150n])
    expect(await book.hold(spender(), 20n)).toMatchObject({
      refused: { budget: { rule: { id: 'bud_b' } }, waitingHelps: true, creditPico: 60n, freePico: 10n },
    })
    expect(heldPico()).toEqual([50n, 150n])
    expect(book.tryHold(spender(), 20n)).toBeUndefined()
    expect(heldPico()).toEqual([50n, 150n])
    book.settle(hold, 30n)
    expect(heldPico()).toEqual([0n, 0n])
    expect(await book.hold(spender(), 40n)).toMatchObject({
      refused: { budget: { rule: { id: 'bud_b' } }, waitingHelps: false, creditPico: 30n },
    })
  })

  it('checks the credit first: if that is too low, the refusal is about the credit', async () => {
    const { book, spender, heldPico } = world({ a: 10n }, 5n)
    const { refused } = (await book.hold(spender(), 20n)) as { refused: object }
    expect(refused).not.toHaveProperty('budget')
    expect(heldPico()).toEqual([0n, 0n])
  })

  it('is released if the database cannot be reached for one of them', async () => {
    const { book, budgetLeases, spender, heldPico } = world({ a: 100n, b: 100n, c: 100n })
    const take = budgetLeases.take.bind(budgetLeases)
    budgetLeases.take = (nodeId, leaseId, ...rest) =>
      leaseId.startsWith('bud_b') ? Promise.reject(new Error('away')) : take(nodeId, leaseId, ...rest)
    await expect(book.hold(spender(), 20n)).rejects.toThrow('away')
    expect(heldPico()).toEqual([0n, 0n])
    budgetLeases.take = take
    await held(book, spender(), 20n)
  })

  it('stays in the day on which the request began, however long it runs', async () => {
    const { book, budgetLeases, spender } = world({ a: 50n })
    const hold = await held(book, spender(), 20n)
    const tomorrow = await held(book, spender(lateMs + 1), 50n)
    expect(await book.extend(hold, 30n)).toBeUndefined()
    expect([hold.budgets!.text, heldOfBudget(hold, 0)]).toEqual(['bud_a@d1970-04-10', 50n])
    expect(tomorrow.budgets!.text).toBe('bud_a@d1970-04-11')
    expect(await book.extend(hold, 1n)).toMatchObject({ budget: { period: { endsAtMs: lateMs + 1 } } })
    expect(budgetLeases.leasedPico).toBe(100n)
  })

  it('grows with the budgets of the model that answers, and not with those of others', async () => {
    const model = (id: string) => ({ scope: 'model', subject: id, limitPico: 100n }) as const
    const { book, budgetLeases, spender } = world({})
    const [one, other] = [budget('one', model('one')), budget('other', model('other'))]
    budgetLeases.limitPico.set('bud_one', 100n)
    budgetLeases.limitPico.set('bud_other', 20n)
    const hold = await held(book, { ...spender(), budgets: new BudgetSet([one, other]) }, 20n)
    expect(await book.extend(hold, 60n, 'one')).toBeUndefined()
    expect([heldOfBudget(hold, 0), heldOfBudget(hold, 1)]).toEqual([80n, 20n])
    expect(await book.extend(hold, 1n, 'other')).toMatchObject({ budget: { rule: { id: 'bud_other' } } })
    book.settle(hold, 70n, 'one')
    expect(book.budgetTotals()).toMatchObject({ heldPico: 0n, unflushedPico: 70n })
  })

  it('grows with its credit only if no budget counts the model that answers', async () => {
    const { book, budgetLeases, spender, heldPico } = world({})
    budgetLeases.limitPico.set('bud_one', 100n)
    const one = budget('one', { scope: 'model', subject: 'one', limitPico: 100n })
    const hold = await held(book, { ...spender(), budgets: new BudgetSet([one]) }, 20n)
    expect(book.tryExtend(hold, 30n, 'other')).toBe(true)
    expect(await book.extend(hold, 40n, 'other')).toBeUndefined()
    expect(heldPico()).toEqual([90n, 20n])
    book.settle(hold, 80n, 'other')
    expect(book.budgetTotals()).toMatchObject({ heldPico: 0n, unflushedPico: 0n })
    expect(heldPico()).toEqual([0n, 0n])
  })

  it('keeps its part of a budget that is deleted before it grows', async () => {
    const { book, budgetLeases, spender, heldPico } = world({ a: 100n, b: 100n })
    const hold = await held(book, spender(), 20n)
    budgetLeases.limitPico.delete('bud_a')
    await book.budgetChanged('bud_a')
    expect(await book.extend(hold, 50n)).toBeUndefined()
    expect([heldOfBudget(hold, 0), heldOfBudget(hold, 1)]).toEqual([20n, 70n])
    expect(heldPico()).toEqual([70n, 90n])
    book.settle(hold, 60n)
    expect(heldPico()).toEqual([0n, 0n])
  })

  it('is released if its request ended during the extension', async () => {
    const { book, spender, heldPico } = world({ a: 100n })
    const hold = await held(book, spender(), 20n)
    const extended = book.extend(hold, 70n)
    book.settle(hold, 5n)
    expect(await extended).toBe('ended')
    expect(heldPico()).toEqual([0n, 0n])
  })

  it('is a hold of credit only if there is no budget', async () => {
    const { book, heldPico } = world({ a: 0n })
    const hold = await held(book, { keyId: 'key', startedAtMs: lateMs, budgets: noBudgets }, 20n)
    expect(hold.budgets).toBeUndefined()
    expect(heldPico()).toEqual([20n, 0n])
  })

  it('of a free request always succeeds', async () => {
    const { book, spender } = world({ a: 0n })
    expect(book.tryHold(spender(), 0n)).toMatchObject({ amountPico: 0n })
  })
})
