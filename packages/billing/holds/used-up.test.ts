import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BudgetSet } from '../budgets/budget-set.ts'
import { HardBudget } from '../budgets/hard-budget.ts'
import { SpendBook, type Spender } from './spend-book.ts'
import { BudgetsInMemory } from './testing/budgets-in-memory.ts'
import { OneKeyStore } from './testing/one-key-store.ts'

const nowMs = 100 * 86_400_000
const rule = { id: 'bud_a', name: 'a', scope: 'tag', subject: 'a', period: 'day', limitPico: 0n } as const

/** Nodes with one budget and plenty of credit. `asked` counts calls for more of the budget. */
function world(limitPico: bigint, nodeCount = 1) {
  const budgetLeases = new BudgetsInMemory(1)
  budgetLeases.limitPico.set('bud_a', limitPico)
  const take = vi.spyOn(budgetLeases, 'take')
  const leases = new OneKeyStore(1, 1_000_000n)
  const books = Array.from({ length: nodeCount }, (_, number) => {
    const nodeId = `node_${number}`
    const book = new SpendBook({ leases, budgetLeases }, nodeId, { askMs: 20 })
    budgetLeases.join(nodeId, book)
    return book
  })
  const spender: Spender = {
    keyId: 'key',
    startedAtMs: nowMs,
    budgets: new BudgetSet([new HardBudget(rule)]),
  }
  const asked = (): number => take.mock.calls.length
  return { book: books[0]!, other: books[1]!, budgetLeases, spender, asked }
}

describe('a budget that is used up', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is requested once a second, however many requests come', async () => {
    const { book, spender, asked } = world(100n)
    expect(await book.hold(spender, 100n)).toHaveProperty('hold')
    const before = asked()
    const all = await Promise.all(Array.from({ length: 50 }, () => book.hold(spender, 10n)))
    for (let count = 0; count < 50; count++) all.push(await book.hold(spender, 10n))
    for (const result of all) expect(result).toMatchObject({ refused: { creditPico: 100n, freePico: 0n } })
    expect(asked() - before).toBe(1)
    vi.advanceTimersByTime(1_001)
    expect(await book.hold(spender, 10n)).toHaveProperty('refused')
    expect(asked() - before).toBe(2)
    expect(book.shortBudgets).toMatchObject({ tag: 101, model: 0 })
  })

  it('still admits requests that fit into the rest', async () => {
    const { book, spender } = world(100n)
    expect(await book.hold(spender, 60n)).toHaveProperty('hold')
    expect(await book.hold(spender, 50n)).toHaveProperty('refused')
    expect(await book.hold(spender, 30n)).toHaveProperty('hold')
    expect(await book.hold(spender, 10n)).toHaveProperty('hold')
  })

  it('is available again at once when it is raised or a request releases some of it', async () => {
    const { book, budgetLeases, spender } = world(100n)
    const held = await book.hold(spender, 100n)
    expect(await book.hold(spender, 10n)).toMatchObject({ refused: { waitingHelps: true } })
    budgetLeases.limitPico.set('bud_a', 130n)
    await book.budgetChanged('bud_a')
    expect(await book.hold(spender, 30n)).toHaveProperty('hold')
    expect(await book.hold(spender, 5n)).toHaveProperty('refused')
    if ('hold' in held) book.settle(held.hold, 90n)
    expect(await book.hold(spender, 10n)).toHaveProperty('hold')
  })

  it('is requested again after another node has had some of it', async () => {
    const { book, other, spender } = world(2n, 2)
    expect(await book.hold(spender, 3n)).toHaveProperty('refused')
    const held = await other.hold(spender, 1n)
    if ('hold' in held) other.settle(held.hold, 0n)
    expect(await book.hold(spender, 2n)).toHaveProperty('hold')
  })

  it('is requested every time while another node has some of it', async () => {
    const { book, other, spender } = world(100n, 2)
    const held = await other.hold(spender, 60n)
    expect(await book.hold(spender, 50n)).toHaveProperty('refused')
    if ('hold' in held) other.settle(held.hold, 0n)
    expect(await book.hold(spender, 50n)).toHaveProperty('hold')
  })
})
