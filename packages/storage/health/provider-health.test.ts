import { beforeAll, describe, expect, it } from 'vitest'
import { fundedKey, newKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const dayMs = 86_400_000

onEachEngine((opened) => {
  const range = { fromMs: noonMs - dayMs / 2, toMs: noonMs + dayMs / 2 }

  beforeAll(async () => {
    const { storage } = opened()
    const one = await fundedKey(storage, 10n ** 15n)
    const second = await newKey(storage, one.accountId)
    const other = await fundedKey(storage, 10n ** 15n)
    const failed = { outcome: 'failed' as const, status: 502, errorType: 'upstream_error' as const }
    const nothing = { modelServed: null, usage: null, tokensIn: 0, tokensOut: 0, chargePico: 0n }
    await storage.requests.write('node_p', [
      newRecord(one, { tags: ['a', 'b'] }),
      newRecord(second),
      newRecord(other),
      newRecord(other, { ...failed, ...nothing, modelTried: 'openai/gpt-5-mini', provider: 'openai' }),
      // Refused before any upstream call, and on another day.
      newRecord(other, { ...failed, ...nothing, provider: null }),
      newRecord(other, { startedAtMs: noonMs - dayMs }),
    ])
  })

  describe('health by provider', () => {
    it('counts each request once over all accounts, and the largest account’s share', async () => {
      const found = await opened().storage.providerHealth.between(range)
      expect(found).toMatchObject([
        {
          model: 'openai/gpt-5-mini',
          provider: 'openai',
          accounts: 2,
          largestRequests: 2,
          requests: 4,
          completed: 3,
          errors: [{ type: 'upstream_error', requests: 1 }],
        },
      ])
    })

    it('is empty without requests', async () => {
      expect(await opened().storage.providerHealth.between({ fromMs: 0, toMs: dayMs })).toEqual([])
    })
  })
})
