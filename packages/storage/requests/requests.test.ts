import { describe, expect, it } from 'vitest'
import { fundedKey, newKey, newRecord, noonMs, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  describe('written requests', () => {
    it('are read back as they were', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 10n ** 12n)
      const full = newRecord(key, {
        tags: ['b', 'a', 'ü "quoted"'],
        tier: 'SIMPLE',
        dropped: ['top_k', 'messages.2.content.0'],
      })
      const bare = newRecord(key, {
        outcome: 'failed',
        status: 400,
        errorType: 'invalid_request_error',
        errorParam: 'messages[3].content',
        modelAsked: null,
        modelServed: null,
        provider: null,
        attempts: [],
        usage: null,
        tokensIn: 0,
        tokensOut: 0,
        priceVersion: null,
        pricing: null,
        chargePico: 0n,
        holdPico: 0n,
        firstTokenMs: null,
        stream: false,
      })
      expect(await storage.requests.write('node_w', [full, bare])).toMatchObject({ refused: [] })
      expect(await storage.usage.request(key.accountId, full.id)).toEqual(full)
      expect(await storage.usage.request(key.accountId, bare.id)).toEqual(bare)
      expect(await storage.usage.request('acct_other', full.id)).toBeUndefined()
    })

    it('are charged once, however often and in whatever batch they are sent', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000n)
      await storage.leases.take('node_w', key.id, 500n, 500n, Date.now())
      const records = Array.from({ length: 6 }, () => newRecord(key, { chargePico: 10n, tags: ['x'] }))
      await storage.requests.write('node_w', records.slice(0, 3))
      await Promise.all([
        storage.requests.write('node_w', records),
        storage.requests.write('node_w', records.toReversed()),
        storage.requests.write('node_w', [...records.slice(2), ...records.slice(2)]),
      ])
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({
        balancePico: 940n,
        lastUsedAtMs: noonMs,
      })
      expect(await storage.leases.take('node_other', key.id, 500n, 500n, Date.now())).toMatchObject({
        takenPico: 500n,
        freePico: 0n,
        elsewherePico: 440n,
      })
      expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    })

    it('are charged in full, even if the lease is smaller or gone', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      await storage.leases.take('node_small', key.id, 40n, 40n, Date.now())
      const charge = (chargePico: bigint) =>
        storage.requests.write('node_small', [newRecord(key, { chargePico })])
      expect((await charge(50n)).uncoveredPico).toEqual(new Map([[key.id, 10n]]))
      await storage.leases.giveBackAll('node_small')
      expect((await charge(70n)).uncoveredPico).toEqual(new Map([[key.id, 70n]]))
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: -20n })
      expect(await storage.leases.take('node_small', key.id, 1n, 1n, Date.now())).toMatchObject({
        takenPico: 0n,
        freePico: -20n,
        elsewherePico: 0n,
      })
    })

    it('do not wait for a record that the database refuses', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000n)
      const good = Array.from({ length: 9 }, () => newRecord(key, { chargePico: 10n }))
      const unknownKey = newRecord({ ...key, id: 'key_none' })
      const withoutPrice = newRecord(key, { priceVersion: null, pricing: null, chargePico: 5n })
      const batch = [...good.slice(0, 4), unknownKey, ...good.slice(4), withoutPrice]
      const { refused } = await storage.requests.write('node_w', batch)
      expect(refused.map((one) => one.requestId)).toEqual([unknownKey.id, withoutPrice.id])
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: 910n })
    })

    it('may contain any text that a caller can send', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000n)
      const record = newRecord(key, { modelAsked: 'a\0b', tags: ['t\0', '\uDC00', '"\\{},'], chargePico: 1n })
      expect(await storage.requests.write('node_w', [record])).toMatchObject({ refused: [] })
      expect(await storage.usage.request(key.accountId, record.id)).toMatchObject({
        modelAsked: 'a\uFFFDb',
        tags: ['t\uFFFD', '\uFFFD', '"\\{},'],
      })
      const filter = { accountId: key.accountId, fromMs: 0, toMs: 2 * noonMs }
      expect(await storage.usage.summary({ ...filter, tags: ['t\0'] })).toMatchObject({ totalRequests: 1 })
      expect((await storage.usage.breakdown(filter, ['tag'])).rows).toHaveLength(3)
    })

    it('may belong to many keys and accounts in one batch', async () => {
      const { storage } = opened()
      const keys = await Promise.all(Array.from({ length: 15 }, () => fundedKey(storage, 1_000n)))
      const node = `node_${uniqueText()}`
      const records = Array.from({ length: 500 }, (_, index) =>
        newRecord(keys[index % keys.length]!, { chargePico: 2n }),
      )
      await Promise.all(keys.map((key) => storage.leases.take(node, key.id, 1n, 20n, Date.now())))
      const { uncoveredPico } = await storage.requests.write(node, records)
      const requests = (index: number): bigint => (index < 500 % keys.length ? 34n : 33n)
      expect(uncoveredPico).toEqual(new Map(keys.map((key, index) => [key.id, requests(index) * 2n - 20n])))
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })

    it('of one account may be written while its keys come and go', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100_000n)
      await Promise.all([
        ...Array.from({ length: 20 }, (_, index) =>
          storage.requests.write(`node_${index % 3}`, [newRecord(key, { chargePico: 5n })]),
        ),
        ...Array.from({ length: 5 }, () => newKey(storage, key.accountId)),
        storage.apiKeys.revoke(key.accountId, key.id, Date.now()),
        ...Array.from({ length: 10 }, (_, index) =>
          storage.leases.take(`node_${index % 3}`, key.id, 9n, 90n, Date.now()),
        ),
      ])
      for (let node = 0; node < 3; node++) await storage.leases.giveBackAll(`node_${node}`)
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: 0n })
      const account = await storage.accounts.find(key.accountId)
      expect(account!.balancePico + account!.unassignedPico).toBe(99_900n)
    })
  })
})
