import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  describe('leases', () => {
    it('are granted in full, or the needed amount and half of the rest, or nothing', async () => {
      const { leases } = opened().storage
      const { id } = await fundedKey(opened().storage, 100n)
      expect(await leases.take('node_a', id, 10n, 40n, Date.now())).toEqual({
        takenPico: 40n,
        freePico: 60n,
        elsewherePico: 0n,
        lease: { pico: 40n, version: expect.any(BigInt) },
      })
      expect(await leases.take('node_b', id, 10n, 60n, Date.now())).toMatchObject({
        takenPico: 35n,
        freePico: 25n,
        elsewherePico: 40n,
      })
      expect(await leases.take('node_a', id, 26n, 26n, Date.now())).toMatchObject({
        takenPico: 0n,
        freePico: 25n,
        lease: { pico: 40n },
      })
      expect(await leases.giveBack('node_b', id, 15n)).toMatchObject({ pico: 20n })
      expect(await leases.take('node_a', id, 40n, 80n, Date.now())).toMatchObject({
        takenPico: 40n,
        freePico: 0n,
      })
    })

    it('carry versions that order their states', async () => {
      const { leases, requests } = opened().storage
      const key = await fundedKey(opened().storage, 1_000n)
      const states = [(await leases.take('node_o', key.id, 300n, 300n, Date.now())).lease]
      const record = newRecord(key, { chargePico: 50n })
      states.push((await requests.write('node_o', [record])).leases.get(key.id)!)
      states.push(await leases.giveBack('node_o', key.id, 20n))
      expect(states.map(({ pico }) => pico)).toEqual([300n, 250n, 230n])
      expect(states.map(({ version }) => version)).toEqual(
        states.map(({ version }) => version).toSorted((left, right) => (left < right ? -1 : 1)),
      )
      expect(new Set(states.map(({ version }) => version)).size).toBe(3)
      // A batch whose response was lost is written again, and reports the current lease.
      expect((await requests.write('node_o', [record])).leases.get(key.id)).toEqual(states[2])
      expect(await leases.current('node_o', [key.id, 'key_none'])).toEqual(new Map([[key.id, states[2]]]))
    })

    it('of an unknown key are empty', async () => {
      const { leases } = opened().storage
      expect(await leases.take('node_a', 'key_none', 1n, 1n, Date.now())).toMatchObject({ takenPico: 0n })
      await leases.giveBack('node_a', 'key_none', 1n)
    })

    it('never exceed the credit, even with concurrent requests', async () => {
      const { storage } = opened()
      const { id } = await fundedKey(storage, 1_000n)
      const taken = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          storage.leases.take(`node_${index % 7}`, id, 30n, 30n, Date.now()),
        ),
      )
      const sum = taken.reduce((total, { takenPico }) => total + takenPico, 0n)
      expect(sum).toBe(990n)
      expect(taken.filter(({ takenPico }) => takenPico === 30n)).toHaveLength(33)
      expect(await storage.leases.take('node_0', id, 10n, 50n, Date.now())).toMatchObject({
        takenPico: 10n,
        freePico: 0n,
      })
      expect(await storage.ledger.verify()).toMatchObject({ ok: true })
    })

    it('stay equal to the key’s leased sum while charges and returns interleave', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100_000n)
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const node = `node_${index % 5}`
          await storage.leases.take(node, key.id, 100n, 1_000n, Date.now())
          await storage.requests.write(node, [newRecord(key, { chargePico: BigInt(index * 20 + 1) })])
          if (index % 3 === 0) await storage.leases.giveBack(node, key.id, 200n)
        }),
      )
      expect(await storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
      for (let node = 0; node < 5; node++) await storage.leases.giveBackAll(`node_${node}`)
      const charged = BigInt((59 * 60) / 2) * 20n + 60n
      const leftPico = 100_000n - charged
      expect(await storage.leases.take('node_0', key.id, leftPico, leftPico, Date.now())).toMatchObject({
        takenPico: leftPico,
        freePico: 0n,
      })
    })

    it('return no more than they hold', async () => {
      const { storage } = opened()
      const { id, accountId } = await fundedKey(storage, 100n)
      await storage.leases.take('node_a', id, 20n, 20n, Date.now())
      await storage.leases.giveBack('node_a', id, 500n)
      expect(await storage.leases.take('node_b', id, 100n, 100n, Date.now())).toMatchObject({
        takenPico: 100n,
      })
      expect(await storage.apiKeys.find(accountId, id)).toMatchObject({ balancePico: 100n })
    })

    it('are returned once their node’s heartbeats stop', async () => {
      const { storage, database } = opened()
      const { leases } = storage
      const { id } = await fundedKey(storage, 100n)
      await leases.take('node_dead', id, 60n, 60n, Date.now())
      await leases.take('node_alive', id, 40n, 40n, Date.now())
      const before = [
        await leases.heartbeat('node_dead', 60_000),
        await leases.heartbeat('node_alive', 1_000),
      ]
      expect(before).toEqual([0n, 0n])
      await database.execute(
        "UPDATE nodes SET heartbeat_at_ms = heartbeat_at_ms - 61000 WHERE id = 'node_dead'",
      )
      await leases.heartbeat('node_alive', 60_000)
      expect(await leases.giveBackExpired()).toEqual(['node_dead'])
      expect(await leases.giveBackExpired()).toEqual([])
      expect(await leases.take('node_alive', id, 60n, 60n, Date.now())).toMatchObject({
        takenPico: 60n,
        lease: { pico: 100n },
        elsewherePico: 0n,
      })
      expect(await leases.heartbeat('node_alive', 60_000)).toBe(0n)
      expect(await leases.heartbeat('node_dead', 60_000)).toBeGreaterThan(0n)
    })

    it('are recalled from the nodes that hold some, which are listed', async () => {
      const { storage, database } = opened()
      const { id } = await fundedKey(storage, 100n)
      await storage.leases.take('node_x', id, 60n, 60n, Date.now())
      await storage.leases.take('node_y', id, 10n, 10n, Date.now())
      const holders = await storage.leases.ask('node_y', id, 5n)
      // A database that is not shared has no other nodes.
      expect(holders).toEqual(database.isShared ? [{ nodeId: 'node_x', pico: 60n }] : [])
    })

    it('are refused if more is needed than wanted', async () => {
      await expect(opened().storage.leases.take('node_a', 'key_none', 2n, 1n, Date.now())).rejects.toThrow(
        RangeError,
      )
    })
  })
})
