import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Admin } from '../world/admin.ts'
import type { AccountBooks, Row } from './books.ts'
import type { BudgetRecord } from '../world/budgets.ts'
import { compareBudgets } from './compare-budgets.ts'
import { Differences } from './differences.ts'
import { NodesClock } from '../fleet/nodes-clock.ts'
import type { Sighting } from '../clients/sighting.ts'
import { books, key, row, sighting, world } from '../testing/one-request.ts'
import type { World, WorldAccount } from '../world/world.ts'

/** Far from midnight, around which it is uncertain to which day a request belongs. */
const noonMs = Date.UTC(2026, 2, 15, 12)
const nowSeconds = noonMs / 1_000
const yesterday = nowSeconds - 86_400
const account: WorldAccount = { index: 2, id: 'acct_a', wealth: 'budgeted' }
const ours: World = {
  ...world,
  accounts: [account],
  organization: { ...world.organization, account },
}

const budget: BudgetRecord = {
  id: 'bud_a',
  name: 'lasting',
  scope: 'tag',
  subject: 'team:1',
  period: 'day',
  limit_usd: '0.0001',
  hard: true,
  spent_usd: '0.00004',
  reserved_usd: '0',
}

const counted = (costUsd: string, changes: Partial<Row> = {}): Row => ({
  ...row,
  created_at: nowSeconds,
  tags: ['n:8', 'team:1'],
  cost_usd: costUsd,
  ...changes,
})

const day = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
const reportedDay = (requests: number, costUsd: string, atSeconds = nowSeconds) => ({
  day: day(atSeconds),
  requests,
  cost_usd: costUsd,
})

/** The differences found for one budget that the gateway reports like this. */
async function found(
  rows: Row[],
  changes: Partial<BudgetRecord> = {},
  report: { days?: object[]; cost_usd?: string; ledger_usage_usd?: string } = {},
  seen: { sightings?: Sighting[]; keys?: AccountBooks['keys']; world?: World } = {},
): Promise<string[]> {
  const differences = new Differences()
  const answer = {
    days: [reportedDay(1, '0.00004')],
    cost_usd: '0.00004',
    ledger_usage_usd: '0.00004',
    ...report,
  }
  const list = { data: [{ ...budget, ...changes }], next_cursor: null }
  const ask = (_: unknown, __: string, path: string): Promise<unknown> =>
    Promise.resolve(path.includes('/report') ? answer : list)
  const book = { ...books, rows, keys: seen.keys ?? books.keys }
  const { sightings = [] } = seen
  const clock = new NodesClock()
  await compareBudgets(
    { world: seen.world ?? ours, books: [book], sightings, clock },
    { ask } as unknown as Admin,
    differences,
  )
  return differences.first.map(({ what }) => what)
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: noonMs }))
afterEach(() => void vi.useRealTimers())

describe('comparing a budget with its rows', () => {
  it('finds nothing if all agree', async () => {
    expect(await found([counted('0.00004')])).toEqual([])
    expect(await found([counted('0.00004'), counted('9', { tags: ['n:9'] })])).toEqual([])
  })

  it('finds another sum, an extra row, another day, and another sum in the ledger', async () => {
    const one = [counted('0.00004')]
    expect(await found(one, { spent_usd: '0.00005' })).toEqual([expect.stringContaining('spent of budget')])
    expect(await found([...one, counted('0.00001')])).not.toEqual([])
    expect(await found(one, {}, { days: [reportedDay(2, '0.00004')] })).not.toEqual([])
    expect(await found(one, {}, { days: [reportedDay(1, '0.00004', yesterday)] })).toHaveLength(2)
    expect(await found(one, {}, { ledger_usage_usd: '0.00003' })).toEqual([
      expect.stringContaining('report of budget'),
    ])
  })

  it('finds an exceeded period, also one that is over', async () => {
    const before = counted('0.0002', { created_at: yesterday })
    const days = { days: [reportedDay(1, '0.0002', yesterday), reportedDay(1, '0.00004')] }
    expect(await found([before, counted('0.00004')], {}, days)).toEqual([
      expect.stringContaining('spent of budget'),
    ])
    expect(await found([before, counted('0.00004')], { limit_usd: '0.0002' }, days)).toEqual([])
  })

  it("counts what a key's successors were charged, if the harness knows them", async () => {
    const heir = { ...books.keys[0]!, id: 'key_b' }
    const keys = [{ ...books.keys[0]!, replaced_by: 'key_b' }, heir]
    const ofKey = { scope: 'key', subject: 'key_b' } as const
    expect(await found([counted('0.00004')], ofKey, {}, { keys })).toEqual([])
    expect(await found([counted('0.00005')], ofKey, {}, { keys })).not.toEqual([])
    const handed = { ...key, successor: { ...key, id: 'key_b' } }
    const worldWithHandOver = { ...ours, keys: [handed] }
    expect(await found([counted('0.00004')], ofKey, {}, { keys: [heir], world: worldWithHandOver })).toEqual(
      [],
    )
    expect(
      await found([counted('0.00009')], ofKey, {}, { keys: [heir], world: worldWithHandOver }),
    ).not.toEqual([])
    // The successor is unknown, so only the ledger is compared.
    expect(await found([counted('0.00009')], ofKey, {}, { keys: [heir] })).toEqual([])
  })
})

describe('comparing a 402 caused by a budget', () => {
  const refused = (needs: string, changes: Partial<Sighting> = {}): Sighting => ({
    ...sighting,
    key: { ...key, account },
    sentAtMs: noonMs,
    endedAtMs: noonMs,
    status: 402,
    ending: 'refused',
    error: {
      type: 'insufficient_quota',
      message:
        'The budget "lasting" (tag `team:1`, 0.0001 USD a day) does not cover this request, which may cost ' +
        `up to ${needs} USD: …`,
    },
    ...changes,
  })
  const one = [counted('0.00004')]

  it('finds one whose budget left enough to its end, or belongs to another account', async () => {
    expect(await found(one, {}, {}, { sightings: [refused('0.00007')] })).toEqual([])
    expect(await found(one, {}, {}, { sightings: [refused('0.00005')] })).toEqual([
      expect.stringContaining('402 of'),
    ])
    const another = refused('0.00007', { key })
    expect(await found(one, {}, {}, { sightings: [another] })).toEqual([expect.stringContaining('402 of')])
  })
})
