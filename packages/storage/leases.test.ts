import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord } from './testing/fixtures.ts'
import { onEachEngine } from './testing/test-database.ts'

onEachEngine((opened) => {
  describe('leases', () => {
    it('are what is wanted, else all that is free, else nothing', async () => {
      const { leases } = opened().storage
      const { id } = await fundedKey(opened().storage, 100n)
      expect(await leases.take('node_a', id, 10n, 60n)).toEqual({
        takenPico: 60n,
        freePico: 40n,
        leasedPico: 60n,
      })
      expect(await leases.take('node_b', id, 10n, 60n)).toEqual({
        takenPico: 40n,
        freePico: 0n,
        leasedPico: 100n,
      })
      expect(await leases.take('node_a', id, 1n, 1n)).toEqual({
        takenPico: 0n,
        freePico: 0n,
        leasedPico: 100n,
      })
      await leases.giveBack('node_b', id, 15n)
      expect(await leases.take('node_a', id, 16n, 16n)).toEqual({
        takenPico: 0n,
        freePico: 15n,
        leasedPico: 85n,
      })
    })

    it('of a key that is not there are nothing', async () => {
      const { leases } = opened().storage
      expect(await leases.take('node_a', 'key_none', 1n, 1n)).toMatchObject({ takenPico: 0n })
      await leases.giveBack('node_a', 'key_none', 1n)
    })

    it('never exceed the credit, whoever takes at once', async () => {
      const { storage } = opened()
      const { id } = await fundedKey(storage, 1_000n)
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, index) => storage.leases.take(`node_${index % 7}`, id, 30n, 30n)),
      )
      const sum = taken.reduce((total, { takenPico }) => total + takenPico, 0n)
      expect(sum).toBe(990n)
      expect(taken.filter(({ takenPico }) => takenPico === 30n)).toHaveLength(33)
      expect(await storage.leases.take('node_0', id, 1n, 50n)).toMatchObject({ takenPico: 10n, freePico: 0n })
      expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    })

    it('stay equal to the key’s leased sum while charges and returns cross', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100_000n)
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const node = `node_${index % 5}`
          await storage.leases.take(node, key.id, 100n, 1_000n)
          await storage.requests.write(node, [newRecord(key, { chargePico: BigInt(index * 20 + 1) })])
          if (index % 3 === 0) await storage.leases.giveBack(node, key.id, 200n)
        }),
      )
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      for (let node = 0; node < 5; node++) await storage.leases.giveBackAll(`node_${node}`)
      const charged = BigInt((59 * 60) / 2) * 20n + 60n
      expect(await storage.leases.take('node_0', key.id, 1n, 200_000n)).toMatchObject({
        takenPico: 100_000n - charged,
      })
    })

    it('give back no more than they hold', async () => {
      const { storage } = opened()
      const { id, accountId } = await fundedKey(storage, 100n)
      await storage.leases.take('node_a', id, 20n, 20n)
      await storage.leases.giveBack('node_a', id, 500n)
      expect(await storage.leases.take('node_b', id, 100n, 100n)).toMatchObject({ takenPico: 100n })
      expect(await storage.apiKeys.find(accountId, id)).toMatchObject({ balancePico: 100n })
    })

    it('return when their node’s heart has stopped', async () => {
      const { storage } = opened()
      const { id } = await fundedKey(storage, 100n)
      await storage.leases.take('node_dead', id, 60n, 60n)
      await storage.leases.take('node_alive', id, 40n, 40n)
      await storage.leases.heartbeat('node_dead', 1_000)
      await storage.leases.heartbeat('node_alive', 5_000)
      expect(await storage.leases.giveBackExpired(5_000)).toEqual(['node_dead'])
      expect(await storage.leases.giveBackExpired(5_000)).toEqual([])
      expect(await storage.leases.take('node_alive', id, 1n, 100n)).toMatchObject({
        takenPico: 60n,
        leasedPico: 100n,
      })
    })

    it('are refused where more is needed than wanted', async () => {
      await expect(opened().storage.leases.take('node_a', 'key_none', 2n, 1n)).rejects.toThrow(RangeError)
    })
  })
})
