import type { ApiKey } from '@turnpike/identity'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../open-storage.ts'
import { fundedKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Wednesday. */
const wednesdayMs = Date.UTC(2026, 3, 29, 12)

onEachEngine((opened) => {
  async function limitedKey(
    limitPico: bigint,
    period: SpendLimitPeriod,
    creditPico = 1_000n,
  ): Promise<ApiKey> {
    const { storage } = opened()
    const key = await fundedKey(storage, creditPico)
    await limit(key, limitPico, period)
    return key
  }

  const limit = (key: ApiKey, spendLimitPico: bigint, spendLimitPeriod: SpendLimitPeriod) =>
    opened().storage.apiKeys.update(key.accountId, key.id, { spendLimitPico, spendLimitPeriod })

  const take = (key: ApiKey, pico: bigint, startedAtMs = wednesdayMs, nodeId = 'node_l') =>
    opened().storage.leases.take(nodeId, key.id, pico, pico, startedAtMs)

  const charge = (key: ApiKey, chargePico: bigint, startedAtMs = wednesdayMs, nodeId = 'node_l') =>
    opened().storage.requests.write(nodeId, [newRecord(key, { chargePico, startedAtMs })])

  async function spent(key: ApiKey, nowMs = wednesdayMs): Promise<bigint | undefined> {
    const { apiKeys } = opened().storage
    const found = (await apiKeys.find(key.accountId, key.id))!
    return (await apiKeys.readSpend(key.accountId, [found], nowMs)).get(key.id)
  }

  async function rotated(key: ApiKey, storage: Storage): Promise<ApiKey> {
    const { accountId, id: keyId } = key
    const rotation = { accountId, keyId, keyPrefix: 'p', keyHash: uniqueText(), graceMs: 60_000 }
    const result = await storage.apiKeys.rotate(rotation, Date.now())
    if (!('key' in result)) throw new Error('refused')
    return result.key
  }

  describe('the spend limit of a key', () => {
    it('limits spent plus leased credit, across all nodes', async () => {
      const key = await limitedKey(100n, 'day')
      expect(await take(key, 60n)).toMatchObject({
        takenPico: 60n,
        limit: { limitPico: 100n, roomPico: 40n },
      })
      expect(await take(key, 41n, wednesdayMs, 'node_m')).toMatchObject({
        takenPico: 0n,
        freePico: 940n,
        elsewherePico: 60n,
        limit: { roomPico: 40n },
      })
      await charge(key, 50n)
      expect(await take(key, 40n, wednesdayMs, 'node_m')).toMatchObject({
        takenPico: 40n,
        limit: { roomPico: 0n },
      })
      await opened().storage.leases.giveBackAll('node_l')
      expect(await take(key, 11n)).toMatchObject({ takenPico: 0n, limit: { roomPico: 10n } })
      expect(await take(key, 10n)).toMatchObject({ takenPico: 10n })
      expect(await spent(key)).toBe(50n)
    })

    it('leaves half of its room to other nodes', async () => {
      const key = await limitedKey(100n, 'total')
      const taken = await opened().storage.leases.take('node_h', key.id, 10n, 1_000n, wednesdayMs)
      expect(taken).toMatchObject({ takenPico: 55n, limit: { roomPico: 45n } })
    })

    it('is never exceeded, even concurrently', async () => {
      const key = await limitedKey(200n, 'day', 10_000n)
      const taken = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const node = `node_${index % 5}`
          const { takenPico } = await take(key, 10n, wednesdayMs, node)
          if (takenPico > 0n) await charge(key, takenPico, wednesdayMs, node)
          return takenPico
        }),
      )
      expect(taken.reduce((sum, pico) => sum + pico, 0n)).toBe(200n)
      expect(await spent(key)).toBe(200n)
      expect((await opened().storage.ledger.verify()).differences).toEqual([])
    })

    it.each<[SpendLimitPeriod, number, number]>([
      // The last moment of the period that contains Wednesday, and the first of the next.
      ['day', Date.UTC(2026, 3, 29, 23, 59, 59, 999), Date.UTC(2026, 3, 30)],
      ['week', Date.UTC(2026, 4, 3, 23, 59, 59, 999), Date.UTC(2026, 4, 4)],
      ['month', Date.UTC(2026, 3, 30, 23, 59, 59, 999), Date.UTC(2026, 4, 1)],
    ])('of a %s starts again with the next one', async (period, lastMs, nextMs) => {
      const key = await limitedKey(100n, period)
      await charge(key, 30n)
      await charge(key, 70n, lastMs)
      expect(await take(key, 1n, lastMs)).toMatchObject({ takenPico: 0n, limit: { roomPico: 0n } })
      expect(await spent(key, lastMs)).toBe(100n)
      expect(await spent(key, nextMs)).toBe(0n)
      expect(await take(key, 100n, nextMs)).toMatchObject({ takenPico: 100n })
    })

    it('in total never ends', async () => {
      const key = await limitedKey(100n, 'total')
      const yearMs = 365 * dayMs
      const nowMs = Date.now()
      await charge(key, 40n, nowMs)
      await charge(key, 50n, nowMs + yearMs)
      expect(await take(key, 11n, nowMs + yearMs)).toMatchObject({ takenPico: 0n, limit: { roomPico: 10n } })
      expect(await spent(key, nowMs + 2 * yearMs)).toBe(90n)
    })

    it('counts leases at the turn of a period against both, until they are charged to one', async () => {
      const key = await limitedKey(100n, 'day')
      const nextMs = wednesdayMs + dayMs
      await charge(key, 20n)
      await take(key, 80n)
      expect(await take(key, 21n, nextMs, 'node_m')).toMatchObject({ takenPico: 0n })
      expect(await take(key, 20n, nextMs, 'node_m')).toMatchObject({ takenPico: 20n })
      // Charged to the day on which it began, whenever it ends.
      await charge(key, 80n)
      expect(await spent(key)).toBe(100n)
      expect(await spent(key, nextMs)).toBe(0n)
      expect(await take(key, 80n, nextMs)).toMatchObject({ takenPico: 80n })
      // From a clock that is behind: what the next day has spent counts too.
      await charge(key, 100n, nextMs)
      expect(await take(key, 1n, wednesdayMs)).toMatchObject({ takenPico: 0n })
    })

    it('counts what was spent before it was set', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      await charge(key, 70n)
      expect(await spent(key)).toBeUndefined()
      await limit(key, 100n, 'week')
      expect(await spent(key)).toBe(70n)
      expect(await take(key, 31n)).toMatchObject({ takenPico: 0n, limit: { roomPico: 30n } })
    })

    it('that is lowered below what is leased leaves less than nothing until leases return', async () => {
      const key = await limitedKey(100n, 'day')
      await take(key, 100n)
      await limit(key, 30n, 'day')
      expect(await take(key, 1n)).toMatchObject({ takenPico: 0n, limit: { roomPico: -70n } })
      await opened().storage.leases.giveBack('node_l', key.id, 90n)
      expect(await take(key, 20n)).toMatchObject({ takenPico: 20n })
      await opened().storage.apiKeys.update(key.accountId, key.id, {
        spendLimitPico: null,
        spendLimitPeriod: null,
      })
      const free = await take(key, 500n)
      expect(free.takenPico).toBe(500n)
      expect(free.limit).toBeUndefined()
    })

    it('passes to the replacing key, with everything spent and leased', async () => {
      const { storage } = opened()
      const first = await limitedKey(100n, 'day')
      await charge(first, 20n)
      await take(first, 30n)
      const second = await rotated(first, storage)
      expect(second).toMatchObject({ spendLimitPico: 100n, spendLimitPeriod: 'day' })
      expect(await spent(second)).toBe(20n)
      expect(await take(second, 51n)).toMatchObject({
        takenPico: 0n,
        predecessors: [first.id],
        limit: { roomPico: 50n, predecessorsPico: 30n },
      })
      // Requests of the old key share the limit: charged, extended, and after another rotation.
      await charge(first, 30n)
      expect(await take(first, 51n)).toMatchObject({ takenPico: 0n, successor: second.id })
      expect(await take(first, 10n)).toMatchObject({ takenPico: 10n, limit: { roomPico: 40n } })
      const third = await rotated(second, storage)
      expect(await spent(third)).toBe(50n)
      expect(await take(third, 41n)).toMatchObject({ takenPico: 0n })
      expect(await take(third, 40n)).toMatchObject({ takenPico: 40n, limit: { roomPico: 0n } })
      expect((await storage.ledger.verify()).differences).toEqual([])
    })

    it('covers its key only: moved credit is not spent', async () => {
      const { storage } = opened()
      const key = await limitedKey(100n, 'day')
      await charge(key, 100n)
      const rich = await storage.apiKeys.create(
        { ...key, name: 'other', keyHash: uniqueText(), spendLimitPico: 10n, spendLimitPeriod: 'day' },
        Date.now(),
      )
      const move = { accountId: key.accountId, fromKeyId: key.id, toKeyId: rich.id, amountPico: 500n }
      expect(
        await storage.ledger.transferBetweenKeys({ ...move, reference: uniqueText() }, Date.now()),
      ).toHaveProperty('transfer')
      expect(await take(rich, 10n)).toMatchObject({ takenPico: 10n, limit: { roomPico: 0n } })
    })

    it('can be changed in its amount or its period without affecting the other', async () => {
      const { apiKeys } = opened().storage
      const key = await fundedKey(opened().storage, 1n)
      const change = (changes: Parameters<typeof apiKeys.update>[2]) =>
        apiKeys.update(key.accountId, key.id, changes)
      expect(await change({ spendLimitPeriod: 'day' })).toMatchObject({ spendLimitPeriod: null })
      expect(await change({ spendLimitPico: 5n })).toMatchObject({ spendLimitPeriod: 'total' })
      expect(await change({ spendLimitPeriod: 'day' })).toMatchObject({ spendLimitPico: 5n })
      expect(await change({ spendLimitPico: 7n })).toMatchObject({ spendLimitPeriod: 'day' })
    })
  })
})
