import type { AttemptRecord } from '@turnpike/gateway'
import { beforeAll, describe, expect, it } from 'vitest'
import { fundedKey, newRecord } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const dayMs = 86_400_000
const dayStartMs = Date.UTC(2026, 2, 15)

function attempt(result: string, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return { provider: 'openai', model: 'gpt-5-mini', status: null, result, durationMs: 10.4, ...changes }
}

onEachEngine((opened) => {
  let newest: string

  beforeAll(async () => {
    const { storage } = opened()
    const key = await fundedKey(storage, 1_000_000n)
    const at = (hour: number, ...attempts: AttemptRecord[]) =>
      newRecord(key, { startedAtMs: dayStartMs + hour * 3_600_000, attempts })
    const other = { provider: 'anthropic', model: 'claude' }
    const records = [
      at(1, attempt('status-503'), attempt('ok', other)),
      at(1, attempt('status-503'), attempt('status-400', other)),
      at(2, attempt('ok'), attempt('client-closed')),
      at(3, attempt('resting'), attempt('ok', other)),
      at(-1, attempt('ok'), attempt('connect-timeout')),
    ]
    newest = records[1]!.id
    // Written again as after a failure, and from another node: each attempt counts once.
    await storage.requests.write('node_a', records.slice(0, 3))
    await storage.requests.write('node_a', records)
    await storage.requests.write('node_b', records)
  })

  const ofDay = { fromMs: dayStartMs, toMs: dayStartMs + dayMs }

  describe('attempts', () => {
    it('are counted once each, by upstream and result', async () => {
      const found = await opened().storage.attempts.upstreams(ofDay)
      expect(found).toMatchObject([
        { provider: 'openai', model: 'gpt-5-mini', attempts: 3, failures: 2, refusals: 0, unjudged: 2 },
        { provider: 'anthropic', model: 'claude', attempts: 3, failures: 0, refusals: 1, unjudged: 0 },
      ])
      expect(found[0]!.results[0]).toEqual({
        result: 'status-503',
        attempts: 2,
        lastRequestId: newest,
        lastAtMs: dayStartMs + 3_600_000,
      })
    })

    it('with accounts’ own vendor keys are not counted, as they say nothing of an upstream', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000_000n)
      const byOwn = [attempt('status-401', { isByok: true }), attempt('ok', { isByok: true })]
      const startedAtMs = dayStartMs + 7 * dayMs
      const attempts = [...byOwn, attempt('ok', { provider: 'shared' })]
      await storage.requests.write('node_a', [newRecord(key, { startedAtMs, attempts })])
      const found = await storage.attempts.upstreams({ fromMs: startedAtMs, toMs: startedAtMs + dayMs })
      expect(found).toMatchObject([{ provider: 'shared', attempts: 1 }])
    })

    it('are reported by day and by hour of a range, and for one upstream', async () => {
      const { attempts } = opened().storage
      const twoDays = { ...ofDay, fromMs: dayStartMs - dayMs, provider: 'openai' }
      expect(await attempts.periods(twoDays, 'day')).toEqual([
        { period: '2026-03-14', attempts: 2, failures: 1 },
        { period: '2026-03-15', attempts: 3, failures: 2 },
      ])
      expect(await attempts.periods(ofDay, 'hour')).toEqual([
        { period: '2026-03-15T01:00Z', attempts: 4, failures: 2 },
        { period: '2026-03-15T02:00Z', attempts: 1, failures: 0 },
        { period: '2026-03-15T03:00Z', attempts: 1, failures: 0 },
      ])
      expect(await attempts.upstreams({ ...ofDay, model: 'nobody' })).toEqual([])
    })

    it('that are invalid keep no request out of the database', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000_000n)
      const hostile = [
        null,
        'x',
        [null, 1, {}, { provider: 1, model: 'x', result: 'ok', durationMs: 1 }],
        [attempt('nul\0 and \ud800', { durationMs: Number.NaN, provider: 'p'.repeat(9_000) })],
      ]
      for (const attempts of hostile) {
        const startedAtMs = dayStartMs + 9 * dayMs
        const record = newRecord(key, { startedAtMs, attempts: attempts as AttemptRecord[] })
        const { refused } = await storage.requests.write('node_a', [record])
        expect(refused).toEqual([])
      }
    })
  })

  it('lose their hours with those of health, and keep their days', async () => {
    const { attempts, retention } = opened().storage
    await retention.dropHealthHoursBefore(dayStartMs + dayMs)
    expect(await attempts.periods(ofDay, 'hour')).toEqual([])
    expect(await attempts.periods(ofDay, 'day')).toHaveLength(1)
  })
})
