import { HardBudget, type Budget, type NewBudget } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, type Storage } from '../open-storage.ts'
import { fundedKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const rounds = 15
/** Batches per round. */
const batches = 6

onEachEngine((opened) => {
  /** The connections of another node. */
  let other: Storage
  beforeAll(async () => {
    other = await openStorage(opened().database.options)
  })
  afterAll(() => other.close())

  function newBudget(key: ApiKey, changes: Partial<NewBudget> = {}): NewBudget {
    const { accountId } = key
    const common = { accountId, name: 'b', scope: 'organization', subject: '', period: 'day' } as const
    return { ...common, limitPico: 1_000n, isHard: true, notifyPercents: [], ...changes }
  }

  async function made(key: ApiKey, changes: Partial<NewBudget> = {}): Promise<Budget> {
    const result = await opened().storage.budgets.create(newBudget(key, changes), Date.now())
    if (!('budget' in result)) throw new Error(result.refused)
    return result.budget
  }

  const record = (key: ApiKey, chargePico: bigint, budgetLeases?: string) =>
    newRecord(key, { chargePico, startedAtMs: Date.now(), tags: ['team:search'], budgetLeases })

  async function expectTrueBooks(): Promise<void> {
    expect((await opened().storage.ledger.verify()).differences).toEqual([])
  }

  describe('concurrent budget operations', () => {
    it('count each charge once in a budget that is created meanwhile, in either order', async () => {
      for (let round = 0; round < rounds; round++) {
        const key = await fundedKey(opened().storage, 1_000_000n)
        await Promise.all([
          ...Array.from({ length: batches }, (_, at) =>
            [opened().storage, other][at % 2]!.requests.write(`node_${at % 2}`, [record(key, 7n)]),
          ),
          made(key),
          made(key, { scope: 'tag', subject: 'team:search', period: 'month' }),
          made(key, { scope: 'key', subject: key.id, period: 'total' }),
        ])
        const { rows } = await opened().storage.budgets.list(key.accountId, { limit: 10 })
        const spent = await opened().storage.budgets.findSpent(rows, Date.now())
        expect(rows.map(({ id }) => spent.get(id)!.spentPico)).toEqual([42n, 42n, 42n])
      }
      await expectTrueBooks()
    }, 120_000)

    it('never give room that was charged to another lease', async () => {
      for (let round = 0; round < rounds; round++) {
        const key = await fundedKey(opened().storage, 1_000_000n)
        const budget = await made(key, { limitPico: 100n })
        const lease = new HardBudget(budget).leaseId(Date.now())
        const { budgetLeases, requests } = opened().storage
        await budgetLeases.take('node_a', lease, 60n, 60n, 0)
        // Each charge moves 10 from leased to spent, while other nodes request all that is left.
        const [, ...taken] = await Promise.all([
          (async () => {
            for (let at = 0; at < batches; at++) await requests.write('node_a', [record(key, 10n, lease)])
          })(),
          ...Array.from({ length: 2 * batches }, (_, at) =>
            other.budgetLeases.take(`node_${at % 3}`, lease, 7n, 100n, 0),
          ),
        ])
        const takenPico = taken.reduce((sum, one) => sum + one.takenPico, 0n)
        const spent = (await opened().storage.budgets.findSpent([budget], Date.now())).get(budget.id)!
        expect(takenPico).toBeLessThanOrEqual(40n)
        expect(spent).toEqual({ spentPico: 60n, reservedPico: takenPico })
      }
      await expectTrueBooks()
    }, 120_000)

    it("move a key's budgets with its rotation, and count charges to both keys", async () => {
      for (let round = 0; round < rounds; round++) {
        const key = await fundedKey(opened().storage, 1_000_000n)
        const budget = await made(key, { scope: 'key', subject: key.id })
        const rotation = { accountId: key.accountId, keyId: key.id, keyPrefix: 'p', keyHash: uniqueText() }
        await Promise.all([
          ...Array.from({ length: batches }, (_, at) =>
            [opened().storage, other][at % 2]!.requests.write(`node_${at % 2}`, [record(key, 7n)]),
          ),
          other.apiKeys.rotate({ ...rotation, graceMs: 60_000 }, Date.now()),
          made(key, { scope: 'key', subject: key.id, period: 'month' }),
        ])
        const { rows } = await opened().storage.budgets.list(key.accountId, { limit: 10 })
        const spent = await opened().storage.budgets.findSpent(rows, Date.now())
        expect(rows.map(({ id }) => spent.get(id)!.spentPico)).toEqual([42n, 42n])
        expect(new Set(rows.map(({ subject }) => subject)).size).toBe(1)
        expect(rows[0]!.subject).not.toBe(budget.subject)
      }
      await expectTrueBooks()
    }, 120_000)

    it('lock several accounts and budgets in one order', async () => {
      const keys = await Promise.all(Array.from({ length: 4 }, () => fundedKey(opened().storage, 1_000_000n)))
      for (const key of keys)
        for (const period of ['day', 'month', 'total'] as const) await made(key, { period })
      const shuffled = (from: number): ApiKey[] => keys.map((_, at) => keys[(from * 3 + at) % keys.length]!)
      for (let round = 0; round < rounds; round++)
        await Promise.all(
          Array.from({ length: batches }, (_, at) =>
            [opened().storage, other][at % 2]!.requests.write(
              `node_${at % 2}`,
              shuffled(at).map((key) => record(key, 1n)),
            ),
          ),
        )
      await expectTrueBooks()
    }, 120_000)
  })
})
