import type { ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../notices.ts'
import { fundedKey, newAccount, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  /** The keys of one account with these balances. A balance below zero is what a refund leaves. */
  async function keysWith(...balancesPico: bigint[]): Promise<ApiKey[]> {
    const { storage } = opened()
    const account = await newAccount(storage)
    const keys: ApiKey[] = []
    for (const balancePico of balancesPico) {
      const key = await newKey(storage, account.id)
      if (balancePico !== 0n) await move(key, balancePico)
      keys.push(key)
    }
    return keys
  }

  async function move(key: ApiKey, amountPico: bigint): Promise<void> {
    const { accountId, id: keyId } = key
    const kind = amountPico > 0n ? 'grant' : 'refund'
    const movement = { accountId, keyId, kind, amountPico, reference: uniqueText(), reason: null } as const
    expect(await opened().storage.ledger.move(movement, Date.now())).toHaveProperty('transfer')
  }

  const take = (nodeId: string, key: ApiKey, neededPico: bigint, wantedPico = neededPico) =>
    opened().storage.leases.take(nodeId, key.id, neededPico, wantedPico, Date.now())

  describe('the credit of an account', () => {
    it('limits what each key may lease: no key can spend what another owes', async () => {
      const [, rich] = await keysWith(-60n, 100n)
      expect(await take('node_a', rich!, 41n)).toMatchObject({
        takenPico: 0n,
        freePico: 100n,
        account: { freePico: 40n, leasedPico: 0n },
      })
      expect(await take('node_a', rich!, 30n, 100n)).toMatchObject({ takenPico: 35n, freePico: 65n })
      expect(await take('node_b', rich!, 6n)).toMatchObject({
        takenPico: 0n,
        account: { freePico: 5n, leasedPico: 35n },
      })
      expect(await take('node_b', rich!, 5n)).toMatchObject({ takenPico: 5n })
    })

    it('is leased out once, whichever keys and nodes request it at the same time', async () => {
      const keys = await keysWith(-700n, 400n, 300n, 500n, 200n)
      const taken = await Promise.all(
        Array.from({ length: 120 }, (_, index) =>
          take(`node_${index % 5}`, keys[1 + (index % 4)]!, 10n, 10n + BigInt(index % 3)),
        ),
      )
      const sumPico = taken.reduce((sum, { takenPico }) => sum + takenPico, 0n)
      expect(sumPico).toBeLessThanOrEqual(700n)
      expect(sumPico).toBeGreaterThan(690n)
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true })
    })

    it('counts unassigned credit, and what revoked keys have in leases', async () => {
      const { storage } = opened()
      const [owing, rich, third] = await keysWith(-50n, 80n, 60n)
      expect(await take('node_a', third!, 60n)).toMatchObject({ takenPico: 60n })
      // Its lease continues and belongs to nobody else.
      await storage.apiKeys.revoke(third!.accountId, third!.id, Date.now())
      expect(await take('node_a', rich!, 31n)).toMatchObject({ takenPico: 0n, account: { freePico: 30n } })
      await storage.leases.giveBack('node_a', third!.id, 60n)
      // The default key, the oldest one, has inherited, so nobody owes anything.
      expect(await storage.apiKeys.find(owing!.accountId, owing!.id)).toMatchObject({ balancePico: 10n })
      expect(await take('node_a', rich!, 80n)).toMatchObject({ takenPico: 80n })
    })

    it('keeps its limit if credit is moved to another key before it is refunded', async () => {
      const { storage } = opened()
      const [paid, sibling] = await keysWith(1_000n, 0n)
      const { accountId } = paid!
      const transfer = { accountId, fromKeyId: paid!.id, toKeyId: sibling!.id, amountPico: 1_000n }
      await storage.ledger.transferBetweenKeys({ ...transfer, reference: uniqueText() }, Date.now())
      await move(paid!, -1_000n)
      expect(await take('node_a', sibling!, 1n)).toMatchObject({
        takenPico: 0n,
        freePico: 1_000n,
        account: { freePico: 0n },
      })
    })

    it('lists the other keys that have leases if it is short', async () => {
      const [, first, second] = await keysWith(-50n, 40n, 40n)
      expect(await take('node_b', second!, 25n)).toMatchObject({ takenPico: 25n })
      expect(await take('node_a', first!, 10n)).toMatchObject({
        takenPico: 0n,
        account: { freePico: 5n, leasedPico: 25n, siblings: [second!.id] },
      })
    })

    it('notifies all nodes when more is leased than there is', async () => {
      const { storage } = opened()
      const notices: Notice[] = []
      const listener = await storage.listen(
        (notice) => notices.push(notice),
        () => undefined,
      )
      const [owing, first, second] = await keysWith(100n, 40n, 40n)
      await take('node_a', first!, 40n)
      await take('node_b', second!, 20n)
      await move(owing!, -150n)
      await expect.poll(() => notices).toContainEqual({ about: 'overdrawn', keyId: first!.id })
      expect(notices).toContainEqual({ about: 'overdrawn', keyId: second!.id })
      // Within what is left: no notice.
      const [calm, leased] = await keysWith(100n, 40n)
      await take('node_a', leased!, 40n)
      await move(calm!, -100n)
      expect(notices).not.toContainEqual({ about: 'overdrawn', keyId: leased!.id })
      // A charge beyond a lease reduces the credit like a refund.
      const [spender, idle] = await keysWith(10n, 30n)
      await take('node_a', idle!, 30n)
      const written = await storage.requests.write('node_b', [newRecord(spender!, { chargePico: 25n })])
      expect(written.overdrawn).toEqual([idle!.id])
      await expect.poll(() => notices).toContainEqual({ about: 'overdrawn', keyId: idle!.id })
      await listener.close()
    })

    it('treats a key that no longer has its own credit correctly', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 100n)
      expect(await take('node_a', key, 10n)).not.toHaveProperty('isRetired')
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      expect(await take('node_a', key, 10n)).toMatchObject({ takenPico: 0n, isRetired: true })
    })

    it(
      'is never overdrawn by leases, and concurrent writers do not deadlock',
      { timeout: 60_000 },
      async () => {
        const seed = randomSeed()
        const random = randomFrom(seed)
        const { storage } = opened()
        const accounts = [await keysWith(-500n, 2_000n, 1_000n), await keysWith(3_000n, -900n, 800n)]
        const anyKey = (): ApiKey => {
          const keys = accounts[Math.floor(random() * accounts.length)]!
          return keys[Math.floor(random() * keys.length)]!
        }
        const amount = (): bigint => BigInt(1 + Math.floor(random() * 200))
        const steps = Array.from({ length: 160 }, async () => {
          const node = `node_${Math.floor(random() * 4)}`
          const key = anyKey()
          const does = random()
          if (does < 0.45) return take(node, key, amount(), amount() + 200n)
          if (does < 0.6) return storage.leases.giveBack(node, key.id, amount())
          if (does < 0.75) {
            const records = [
              newRecord(key, { chargePico: amount() }),
              newRecord(anyKey(), { chargePico: amount() }),
            ]
            return storage.requests.write(node, records)
          }
          if (does < 0.9) return move(key, random() < 0.5 ? amount() : -amount())
          const other = accounts.find((keys) => keys.includes(key))!.find((one) => one !== key)!
          const transfer = {
            accountId: key.accountId,
            fromKeyId: key.id,
            toKeyId: other.id,
            amountPico: amount(),
          }
          return storage.ledger.transferBetweenKeys({ ...transfer, reference: uniqueText() }, Date.now())
        })
        await Promise.all(steps)
        expect(await storage.ledger.verify(), `seed ${seed}`).toMatchObject({ ok: true })
        for (const [key] of accounts) {
          const whole = await storage.accounts.find(key!.accountId)
          const probe = await take('node_probe', key!, 1n)
          if (probe.takenPico === 0n) continue
          expect(whole!.balancePico, `seed ${seed}`).toBeGreaterThan(0n)
        }
      },
    )
  })
})
