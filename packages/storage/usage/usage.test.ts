import type { RequestRecord, UsageBreakdown, UsageDimension, UsageFilter } from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { beforeAll, describe, expect, it } from 'vitest'
import { InvalidCursor } from '../database/cursor.ts'
import { fundedKey, newKey, newRecord, noonMs, noUsage } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const dayMs = 86_400_000

onEachEngine((opened) => {
  let first: ApiKey
  let second: ApiKey
  let records: RequestRecord[]
  let filter: UsageFilter

  beforeAll(async () => {
    const { storage } = opened()
    first = await fundedKey(storage, 10n ** 15n)
    second = await newKey(storage, first.accountId)
    const stranger = await fundedKey(storage, 10n ** 15n)
    const midnight = noonMs + dayMs / 2
    records = [
      newRecord(first, { tags: ['web', 'beta'], chargePico: 100n }),
      newRecord(first, { tags: ['web'], chargePico: 50n, startedAtMs: midnight - 1 }),
      newRecord(second, {
        tags: [],
        chargePico: 7n,
        startedAtMs: midnight,
        modelServed: 'anthropic/claude',
        provider: 'anthropic',
      }),
      newRecord(second, {
        tags: ['beta'],
        chargePico: 3n,
        startedAtMs: midnight + 5,
        outcome: 'client_closed',
        status: 499,
      }),
      newRecord(second, {
        tags: ['web'],
        chargePico: 0n,
        outcome: 'failed',
        status: 502,
        startedAtMs: midnight + 9,
      }),
    ]
    await storage.requests.write('node_u', [...records, newRecord(stranger, { tags: ['web'] })])
    filter = { accountId: first.accountId, fromMs: noonMs - dayMs, toMs: noonMs + 2 * dayMs }
  })

  const rows = async (by: UsageDimension[], changes: Partial<UsageFilter> = {}) => {
    const { rows } = await opened().storage.usage.breakdown({ ...filter, ...changes }, by)
    return rows.map((row) => [...row.groups, row.totalRequests, Number(row.totalCostPico)])
  }

  describe('a summary', () => {
    it('counts every outcome but failed', async () => {
      const { usage } = opened().storage
      expect(await usage.summary(filter)).toEqual({
        totalRequests: 4,
        totalTokensIn: 40,
        totalTokensOut: 20,
        totalCostPico: 160n,
        totalBaselinePico: 160n,
        totalVendorCostPico: 160n,
        totalCostedPico: 160n,
      })
      expect(await usage.summary({ ...filter, fromMs: 0, toMs: 1 })).toEqual(noUsage)
    })

    it('covers the requests that meet all conditions', async () => {
      const { usage } = opened().storage
      const cost = async (changes: Partial<UsageFilter>) =>
        Number((await usage.summary({ ...filter, ...changes })).totalCostPico)
      expect(await cost({ tags: ['web'] })).toBe(150)
      expect(await cost({ tags: ['web', 'beta'] })).toBe(100)
      expect(await cost({ keyId: second.id })).toBe(10)
      expect(await cost({ model: 'anthropic/claude' })).toBe(7)
      expect(await cost({ outcome: 'client_closed' })).toBe(3)
      expect(await cost({ toMs: noonMs + dayMs / 2 })).toBe(150)
      expect(await cost({ fromMs: noonMs + dayMs / 2 })).toBe(10)
    })

    it('can cover all accounts, and be filtered by tag', async () => {
      const { usage } = opened().storage
      const { accountId, ...all } = filter
      expect(accountId).toBe(first.accountId)
      expect(await usage.summary(all)).toMatchObject({ totalRequests: 5, totalCostPico: 12_500_160n })
      expect(await usage.summary({ ...all, tags: ['web'] })).toMatchObject({ totalRequests: 3 })
    })

    it('is exact beyond 64 bits', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1n)
      const most = 8_000_000n * 10n ** 12n
      for (let round = 0; round < 3; round++) {
        await storage.requests.write('node_wide', [newRecord(key, { chargePico: most })])
        await storage.ledger.move(
          {
            accountId: key.accountId,
            kind: 'grant',
            amountPico: most,
            reference: `wide:${key.id}:${round}`,
            reason: null,
          },
          Date.now(),
        )
      }
      const own = { ...filter, accountId: key.accountId }
      const sums = { totalCostPico: most * 3n, totalBaselinePico: most * 3n }
      expect(await storage.usage.summary(own)).toMatchObject(sums)
      expect((await storage.usage.breakdown(own, ['key'])).rows).toMatchObject([sums])
    })
  })

  describe('a breakdown', () => {
    it('by tag counts a request under each of its tags, and an untagged one under none', async () => {
      expect(await rows(['tag'])).toEqual([
        ['web', 2, 150],
        ['beta', 2, 103],
        [null, 1, 7],
      ])
      expect(await rows(['tag'], { tags: ['beta'] })).toEqual([
        ['beta', 2, 103],
        ['web', 1, 100],
      ])
    })

    it('by day uses UTC days, in order', async () => {
      expect(await rows(['day'])).toEqual([
        ['2026-03-15', 2, 150],
        ['2026-03-16', 2, 10],
      ])
    })

    it('by model, key, provider and tier lists the most expensive first', async () => {
      expect(await rows(['model'])).toEqual([
        ['openai/gpt-5-mini', 3, 153],
        ['anthropic/claude', 1, 7],
      ])
      expect(await rows(['key'])).toEqual([
        [first.id, 2, 150],
        [second.id, 2, 10],
      ])
      expect(await rows(['provider'])).toEqual([
        ['openai', 3, 153],
        ['anthropic', 1, 7],
      ])
      expect(await rows(['tier'])).toEqual([[null, 4, 160]])
    })

    it('by two dimensions is a cross table', async () => {
      expect(await rows(['tag', 'day'])).toEqual([
        ['web', '2026-03-15', 2, 150],
        ['beta', '2026-03-15', 1, 100],
        [null, '2026-03-16', 1, 7],
        ['beta', '2026-03-16', 1, 3],
      ])
      await expect(rows(['tag', 'tag'])).rejects.toThrow(RangeError)
    })

    it('is paged: equal costs sort by name, untagged requests come last', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 18n)
      const tagged = [['b'], [], ['ü'], ['a'], ['']].map((tags) => newRecord(key, { tags, chargePico: 5n }))
      // Beyond the precision of a float.
      const dear = newRecord(key, { tags: ['dear'], chargePico: 2n ** 53n + 1n })
      const nearly = newRecord(key, { tags: ['and nearly as dear'], chargePico: 2n ** 53n })
      await storage.requests.write('node_p', [...tagged, dear, nearly])
      const own = { ...filter, accountId: key.accountId }
      const seen: (string | null)[] = []
      let cursor: string | null = null
      do {
        const page: UsageBreakdown = await storage.usage.breakdown(own, ['tag'], {
          limit: 2,
          ...(cursor !== null && { cursor }),
        })
        seen.push(...page.rows.map((row) => row.groups[0]!))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen).toEqual(['dear', 'and nearly as dear', '', 'a', 'b', 'ü', null])
    })

    it('accepts only cursors of its own list', async () => {
      const { usage } = opened().storage
      const { nextCursor } = await usage.breakdown(filter, ['tag'], { limit: 1 })
      const page = { limit: 1, cursor: nextCursor! }
      expect((await usage.breakdown(filter, ['tag'], page)).rows).toHaveLength(1)
      await expect(usage.breakdown(filter, ['model'], page)).rejects.toThrow(InvalidCursor)
      await expect(usage.breakdown(filter, ['tag', 'day'], page)).rejects.toThrow(InvalidCursor)
      const { accountId: _own, ...all } = filter
      await expect(usage.breakdown(all, ['tag'], page)).rejects.toThrow(InvalidCursor)
      for (const names of [[3, null], ['a'], ['a\0', null], ['\ud800', null]]) {
        const cursor = Buffer.from(JSON.stringify(['breakdown::tag', 1, 2, ...names])).toString('base64url')
        await expect(usage.breakdown(all, ['tag'], { limit: 1, cursor })).rejects.toThrow(InvalidCursor)
      }
    })
  })

  describe('single requests', () => {
    it('are listed newest first, including failed ones, in pages that new rows do not shift', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 12n)
      const written = Array.from({ length: 7 }, (_, index) =>
        newRecord(key, { startedAtMs: noonMs + Math.floor(index / 2), tags: [`t${index}`] }),
      )
      await storage.requests.write('node_l', written)
      const own = { accountId: key.accountId, fromMs: 0, toMs: 2 * noonMs }
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: { rows: RequestRecord[]; nextCursor: string | null } = await storage.usage.requests(
          own,
          cursor === null ? { limit: 3 } : { limit: 3, cursor },
        )
        seen.push(...page.rows.map((row) => row.id))
        cursor = page.nextCursor
        await storage.requests.write('node_l', [newRecord(key, { startedAtMs: noonMs + 100 + seen.length })])
      } while (cursor !== null)
      const expected = written
        .toSorted((left, right) => right.startedAtMs - left.startedAtMs || (left.id < right.id ? 1 : -1))
        .map((record) => record.id)
      expect(seen).toEqual(expected)
    })

    it('accept only cursors of their own list', async () => {
      const { storage } = opened()
      const { nextCursor } = await storage.usage.requests(filter, { limit: 1 })
      const elsewhere = { ...filter, accountId: 'acct_other' }
      await expect(storage.usage.requests(elsewhere, { limit: 1, cursor: nextCursor! })).rejects.toThrow(
        InvalidCursor,
      )
      await expect(storage.ledger.list(first.accountId, { limit: 1, cursor: nextCursor! })).rejects.toThrow(
        InvalidCursor,
      )
      await expect(storage.apiKeys.list(first.accountId, { limit: 1, cursor: 'junk' })).rejects.toThrow(
        InvalidCursor,
      )
    })

    it('are exported oldest first, over many pages', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 15n)
      const written = Array.from({ length: 1_203 }, (_, index) =>
        newRecord(key, { startedAtMs: noonMs + (index % 50) }),
      )
      for (let start = 0; start < written.length; start += 500)
        await storage.requests.write('node_e', written.slice(start, start + 500))
      const exported: RequestRecord[] = []
      for await (const record of storage.usage.export({ ...filter, accountId: key.accountId }))
        exported.push(record)
      const expected = written.toSorted(
        (left, right) => left.startedAtMs - right.startedAtMs || (left.id < right.id ? -1 : 1),
      )
      expect(exported).toEqual(expected)
    })
  })

  it('agree with the ledger’s usage', async () => {
    const { storage } = opened()
    const { rows } = await storage.ledger.list(first.accountId, { limit: 100 })
    const inRange = rows.filter((row) => row.kind === 'usage' && row.createdAtMs < noonMs + dayMs / 2)
    const posted = inRange.reduce((sum, row) => sum + row.amountPico, 0n)
    const { totalCostPico } = await storage.usage.summary({ ...filter, toMs: noonMs + dayMs / 2 })
    expect(posted).toBe(totalCostPico)
  })
})
