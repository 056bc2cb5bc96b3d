import type { HealthFilter } from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { beforeAll, describe, expect, it } from 'vitest'
import { fundedKey, newKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const dayMs = 86_400_000

onEachEngine((opened) => {
  let key: ApiKey
  let other: ApiKey
  let filter: HealthFilter

  beforeAll(async () => {
    const { storage } = opened()
    key = await fundedKey(storage, 10n ** 15n)
    other = await newKey(storage, key.accountId)
    const startMs = noonMs - dayMs / 2
    filter = { accountId: key.accountId, fromMs: startMs, toMs: startMs + 2 * dayMs }
    const cached = { inputTokens: 40, cacheReadTokens: 60, outputTokens: 20 }
    const pricing = { prompt: '0.00001', completion: '0.00003', input_cache_read: '0.000001' }
    const records = [
      newRecord(key, { usage: cached, pricing, tokensIn: 100, tokensOut: 20, tags: ['team:a', 'web'] }),
      newRecord(key, { stream: false, firstTokenMs: 900, durationMs: 4_000, tags: ['team:b'] }),
      newRecord(other, {
        startedAtMs: noonMs + dayMs,
        outcome: 'failed',
        status: 502,
        errorType: 'upstream_error',
        modelServed: null,
        modelTried: 'anthropic/claude',
        provider: 'anthropic',
        firstTokenMs: null,
        usage: null,
        tokensIn: 0,
        tokensOut: 0,
        chargePico: 0n,
      }),
    ]
    await storage.requests.write('node_h', records)
    await storage.requests.write('node_h', records)
  })

  describe('health', () => {
    it('sums up errors by type, durations, speed and cache savings', async () => {
      expect(await opened().storage.usageHealth.summary(filter)).toEqual({
        requests: 3,
        completed: 2,
        errors: [{ type: 'upstream_error', requests: 1 }],
        firstTokenMs: { p50: 197, p95: 197 },
        durationMs: { p50: 939, p95: 3_756 },
        tokensPerSecond: 5,
        tokensIn: 110,
        cacheReadTokens: 60,
        cacheWriteTokens: 0,
        // 60 tokens, each 0.000009 USD cheaper.
        savedPico: 540_000_000n,
      })
    })

    it('is reported by day, hour, model, provider, key and tag', async () => {
      const { usageHealth: health } = opened().storage
      const by = async (dimension: Parameters<typeof health.groups>[1], changes = {}) => {
        const groups = await health.groups({ ...filter, ...changes }, dimension, 100)
        return groups.map(({ group, requests, errors }) => [group, requests, errors.length])
      }
      expect(await by('day')).toEqual([
        ['2026-03-15', 2, 0],
        ['2026-03-16', 1, 1],
      ])
      expect(await by('hour', { keyId: other.id })).toEqual([['2026-03-16T12:00Z', 1, 1]])
      expect(await by('model')).toEqual([
        ['openai/gpt-5-mini', 2, 0],
        ['anthropic/claude', 1, 1],
      ])
      expect(await by('provider', { model: 'anthropic/claude' })).toEqual([['anthropic', 1, 1]])
      expect(await by('key')).toEqual([
        [key.id, 2, 0],
        [other.id, 1, 1],
      ])
      expect(await by('tag')).toEqual([
        ['team:a', 1, 0],
        ['team:b', 1, 0],
        ['web', 1, 0],
      ])
      expect(await by('tag:team', { provider: 'openai' })).toEqual([
        ['a', 1, 0],
        ['b', 1, 0],
      ])
      expect(await by('day', { tag: 'web' })).toEqual([['2026-03-15', 1, 0]])
      await expect(by('key', { tag: 'web' })).rejects.toThrow(RangeError)
    })

    it('has no figures without requests, and says since when it counts', async () => {
      const { usageHealth: health } = opened().storage
      const none = await health.summary({ ...filter, fromMs: 0, toMs: dayMs })
      expect(none).toMatchObject({ requests: 0, tokensPerSecond: null, savedPico: 0n })
      expect(none.durationMs).toEqual({ p50: null, p95: null })
      expect(await health.countedSinceMs()).toBeGreaterThan(noonMs)
    })

    it('adds up to the same by hours, days and months', async () => {
      const { usageHealth: health } = opened().storage
      const whole = { ...filter, fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) }
      const months = await health.summary(whole)
      expect(await health.summary(filter)).toEqual(months)
      const hours = await health.groups(filter, 'hour', 100)
      expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(months.requests)
      expect(hours.reduce((sum, { savedPico }) => sum + savedPico, 0n)).toBe(months.savedPico)
    })

    it('is the same for most of a month as for its days', async () => {
      const { usageHealth: health } = opened().storage
      const range = (from: number, to: number) => ({
        fromMs: Date.UTC(2026, 2, from),
        toMs: Date.UTC(2026, 2, to),
      })
      const models = (from: number, to: number) =>
        health.groups({ ...filter, ...range(from, to) }, 'model', 100)
      expect(await models(4, 29)).toEqual(await models(15, 17))
      // The month minus the 15th: a model used only on that day forms no group.
      expect(await models(16, 32)).toEqual(await models(16, 17))
      expect((await models(16, 32)).map(({ group }) => group)).toEqual(['anthropic/claude'])
      const tags = await health.groups({ ...filter, ...range(1, 15) }, 'tag', 100)
      expect(tags).toEqual([])
      expect(await health.groups({ ...filter, ...range(1, 16) }, 'tag', 2)).toMatchObject([
        { group: 'team:a', requests: 1 },
        { group: 'team:b', requests: 1 },
      ])
      const one = { model: 'openai/gpt-5-mini' }
      expect(await health.summary({ ...filter, ...range(2, 32), ...one })).toEqual(
        await health.summary({ ...filter, ...range(15, 16), ...one }),
      )
    })

    it('keeps no charge out of the database because of invalid usage or prices', async () => {
      const { storage } = opened()
      const odd = await fundedKey(storage, 10n ** 15n)
      const usages = [0.5, -3, NaN, 1e300, 2 ** 53].map((cacheReadTokens) => ({ cacheReadTokens }))
      const pricing = { prompt: 'dear', completion: '1' }
      const records = usages.map((usage) => newRecord(odd, { usage, tokensIn: 100 }))
      const unpriced = newRecord(odd, { usage: { cacheReadTokens: 5 }, pricing, priceVersion: 'none' })
      const { refused } = await storage.requests.write('node_h', [...records, unpriced])
      expect(refused).toEqual([])
      const figures = await storage.usageHealth.summary({ ...filter, accountId: odd.accountId })
      expect(figures).toMatchObject({ requests: 6, cacheReadTokens: 5, savedPico: 0n })
    })

    it('counts the longest tags, and many of them', async () => {
      const { storage } = opened()
      const odd = await fundedKey(storage, 10n ** 15n)
      const wide = '\u{1f600}'.repeat(64)
      const records = Array.from({ length: 100 }, (_, index) =>
        newRecord(odd, { tags: [wide, `k\u00e9y:${index}`, ...many(index)] }),
      )
      expect((await storage.requests.write('node_h', records)).refused).toEqual([])
      const groups = (by: 'tag' | 'tag:k\u00e9y', limit: number) =>
        storage.usageHealth.groups({ ...filter, accountId: odd.accountId }, by, limit)
      expect((await groups('tag', 1))[0]).toMatchObject({ group: wide, requests: 100 })
      expect(await groups('tag', 10_000)).toHaveLength(1 + 100 + 1_800)
      expect(await groups('tag:k\u00e9y', 10_000)).toHaveLength(100)
    })
  })

  describe('ledger verify', () => {
    const differences = async (): Promise<string[]> => {
      const found = await opened().storage.ledger.verify()
      return found.differences.map(({ subject }) => subject)
    }
    const day = '2026-03-15'

    it('finds no difference in untouched data', async () => {
      expect(await differences()).toEqual([])
    })

    it.each([
      [
        'a day',
        `UPDATE health_totals SET requests = requests + 1 WHERE period = 'd${day}' AND facet = 'all'`,
      ],
      ['a model', `UPDATE health_totals SET tokens_in = 0 WHERE period = 'd${day}' AND facet = 'model'`],
      ['an hour', `UPDATE health_totals SET saved_low = 7 WHERE period = 'h${day}T12' AND facet = 'tag'`],
      ['a time', `UPDATE health_totals SET times_5 = 1 WHERE period = 'd${day}' AND facet = 'key'`],
      ['an error', `DELETE FROM health_errors WHERE period = 'd2026-03-16' AND facet = 'key'`],
    ])('finds a changed %s', async (_what, statement) => {
      const { database } = opened()
      await database.execute('CREATE TABLE kept_totals AS SELECT * FROM health_totals')
      await database.execute('CREATE TABLE kept_errors AS SELECT * FROM health_errors')
      await database.execute(statement)
      expect((await differences()).some((subject) => subject.includes('health'))).toBe(true)
      await database.execute('DELETE FROM health_totals; DELETE FROM health_errors')
      await database.execute('INSERT INTO health_totals SELECT * FROM kept_totals')
      await database.execute('INSERT INTO health_errors SELECT * FROM kept_errors')
      await database.execute('DROP TABLE kept_totals; DROP TABLE kept_errors')
      expect(await differences()).toEqual([])
    })

    it('accepts that a node of an older release counts nothing', async () => {
      const { storage, database } = opened()
      const beside = await fundedKey(storage, 10n ** 15n)
      await storage.requests.write('node_h', [newRecord(beside), newRecord(beside)])
      await database.execute(`DELETE FROM health_totals WHERE account_id = '${beside.accountId}'`)
      await database.execute(`DELETE FROM health_errors WHERE account_id = '${beside.accountId}'`)
      expect(await differences()).toEqual([])
    })

    // This test comes last, because it deletes rows.
    it('keeps days and months after hours are deleted', async () => {
      const { usageHealth: health, retention } = opened().storage
      const before = await health.groups(filter, 'day', 100)
      await retention.dropHealthHoursBefore(noonMs + dayMs)
      expect(await health.groups(filter, 'day', 100)).toEqual(before)
      const hours = await health.groups(filter, 'hour', 100)
      expect(hours.map(({ group, errors }) => [group, errors.length])).toEqual([['2026-03-16T12:00Z', 1]])
      expect(await differences()).toEqual([])
    })
  })
})

/** Tags for one request, different from those of every other. */
function many(index: number): string[] {
  return Array.from({ length: 18 }, (_, tag) => `job:${index}-${tag}`)
}
