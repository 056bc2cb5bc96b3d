import { PayerRefused, type ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { fundedKey, grant, newAccount, newKey, newRecord, noonMs, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const node = 'node_a'

onEachEngine((opened) => {
  /** Keys created in the same millisecond have no order. */
  let madeAtMs = Date.now()
  const drawing = (payer: ApiKey, drawsOn: string | null = payer.id): Promise<ApiKey> =>
    newKey(opened().storage, payer.accountId, (madeAtMs += 10), drawsOn)

  const read = async (key: ApiKey): Promise<ApiKey> =>
    (await opened().storage.apiKeys.find(key.accountId, key.id))!

  const balances = async (...keys: ApiKey[]): Promise<bigint[]> =>
    (await Promise.all(keys.map(read))).map(({ balancePico }) => balancePico)

  const payers = async (...keys: ApiKey[]): Promise<(string | null)[]> =>
    (await Promise.all(keys.map(read))).map(({ drawsOn }) => drawsOn)

  const take = (key: ApiKey, neededPico: bigint, wantedPico = neededPico, at = node) =>
    opened().storage.leases.take(at, key.id, neededPico, wantedPico, noonMs)

  const charge = async (key: ApiKey, chargePico: bigint): Promise<void> => {
    await opened().storage.requests.write(node, [newRecord(key, { chargePico })])
  }

  const rotated = async (key: ApiKey, graceMs = 0): Promise<ApiKey> => {
    const rotation = { accountId: key.accountId, keyId: key.id, keyPrefix: 'p', keyHash: uniqueText() }
    const result = await opened().storage.apiKeys.rotate({ ...rotation, graceMs }, Date.now())
    if (!('key' in result)) throw new Error('refused')
    return result.key
  }

  const draw = (key: ApiKey, drawsOn: string | null) =>
    opened().storage.apiKeys.update(key.accountId, key.id, { drawsOn })

  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  describe('a key that draws on another', () => {
    it("leases, spends and returns the other key's credit through its own lease", async () => {
      const payer = await fundedKey(opened().storage, 100n)
      const key = await drawing(payer, 'default')
      expect(key).toMatchObject({ drawsOn: payer.id, balancePico: 0n })
      expect(await take(key, 40n)).toMatchObject({ takenPico: 40n, freePico: 60n, elsewherePico: 0n })
      await charge(key, 25n)
      expect(await balances(payer, key)).toEqual([75n, 0n])
      await expectTrueBooks()
      expect(await opened().storage.leases.giveBack(node, key.id, 15n)).toMatchObject({ pico: 0n })
      expect(await take(payer, 75n)).toMatchObject({ takenPico: 75n, freePico: 0n })
      const { rows } = await opened().storage.ledger.list(payer.accountId, { limit: 1 }, { kinds: ['usage'] })
      expect(rows).toMatchObject([{ kind: 'usage', debitAccount: `key:${payer.id}`, amountPico: 25n }])
      await expectTrueBooks()
    })

    it('shares that credit: what one key leases is not free for others, and they are listed', async () => {
      const payer = await fundedKey(opened().storage, 100n)
      const [first, second] = [await drawing(payer), await drawing(payer)]
      await take(first, 60n)
      await take(payer, 30n, 30n, 'node_b')
      const refused = await take(second, 20n)
      expect(refused).toMatchObject({ takenPico: 0n, freePico: 10n, elsewherePico: 0n })
      expect(refused.sharers).toEqual({ keyIds: [first.id, payer.id], leasedPico: 90n })
      expect(await take(payer, 20n)).toMatchObject({
        elsewherePico: 30n,
        sharers: { keyIds: [first.id], leasedPico: 60n },
      })
    })

    it('keeps its own spend limit, and ignores that of the paying key', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const key = await drawing(payer)
      const limit = { spendLimitPico: 30n, spendLimitPeriod: 'total' } as const
      await storage.apiKeys.update(payer.accountId, payer.id, { ...limit, spendLimitPico: 5n })
      await storage.apiKeys.update(key.accountId, key.id, limit)
      expect(await take(key, 31n)).toMatchObject({ takenPico: 0n, limit: { roomPico: 30n } })
      expect(await take(key, 20n)).toMatchObject({ takenPico: 20n, limit: { roomPico: 10n } })
      expect(await take(payer, 5n)).toMatchObject({ takenPico: 5n, limit: { roomPico: 0n } })
      await charge(key, 20n)
      expect(await take(key, 11n)).toMatchObject({ takenPico: 0n, limit: { roomPico: 10n } })
      await expectTrueBooks()
    })

    it('has its own credit once some is given to it by name, with what its requests hold', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const [first, second] = [await drawing(payer), await drawing(payer)]
      await take(first, 10n)
      const grantTo = (keyId: string, amountPico: bigint) =>
        storage.ledger.move(
          {
            accountId: payer.accountId,
            keyId,
            kind: amountPico > 0n ? 'grant' : 'refund',
            amountPico,
            reference: uniqueText(),
            reason: null,
          },
          Date.now(),
        )
      await grantTo(second.id, -5n)
      expect(await payers(second)).toEqual([payer.id])
      expect(await balances(payer, second)).toEqual([95n, 0n])
      await grantTo(first.id, 7n)
      expect(await balances(payer, first)).toEqual([85n, 17n])
      const transfer = { accountId: payer.accountId, fromKeyId: payer.id, toKeyId: second.id }
      await storage.ledger.transferBetweenKeys(
        { ...transfer, amountPico: 3n, reference: uniqueText() },
        Date.now(),
      )
      expect(await payers(first, second)).toEqual([null, null])
      expect(await balances(payer, second)).toEqual([82n, 3n])
      await expectTrueBooks()
    })

    it('gives its credit or debt to the key that it draws on', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const key = await newKey(storage, payer.accountId)
      await charge(key, 30n)
      await draw(key, payer.id)
      expect(await balances(payer, key)).toEqual([70n, 0n])
      await take(key, 10n)
      await draw(key, null)
      expect(await balances(payer, key)).toEqual([60n, 10n])
      await expectTrueBooks()
    })

    it('is refused for an unknown, foreign, inactive or drawing key, and for itself', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const key = await drawing(payer)
      const gone = await newKey(storage, payer.accountId)
      await storage.apiKeys.revoke(gone.accountId, gone.id, Date.now())
      const foreign = await fundedKey(storage, 1n)
      const own = await newKey(storage, payer.accountId)
      const refused: [ApiKey, string | null, string][] = [
        [own, 'key_none', 'unknown-payer'],
        [own, foreign.id, 'unknown-payer'],
        [own, gone.id, 'payer-inactive'],
        [own, key.id, 'payer-draws'],
        [own, own.id, 'same-key'],
        [payer, own.id, 'is-payer'],
        [gone, payer.id, 'key-inactive'],
      ]
      for (const [one, drawsOn, refusal] of refused)
        await expect(draw(one, drawsOn)).rejects.toThrow(new PayerRefused(refusal as never))
      await expect(drawing(payer, foreign.id)).rejects.toThrow(PayerRefused)
      expect(await draw({ ...own, accountId: foreign.accountId }, foreign.id)).toBeUndefined()
      await expectTrueBooks()
    })

    it('cannot exist in an account without other keys', async () => {
      const { storage } = opened()
      const { id } = await newAccount(storage)
      await grant(storage, id, 9n)
      expect(await newKey(storage, id, Date.now(), 'default')).toMatchObject({
        drawsOn: null,
        balancePico: 9n,
      })
    })
  })

  describe('a key on which others draw', () => {
    it('takes them along when it is rotated, including their leases', async () => {
      const payer = await fundedKey(opened().storage, 100n)
      const key = await drawing(payer)
      await take(key, 40n)
      await take(payer, 10n)
      const next = await rotated(payer, 60_000)
      expect(await payers(key)).toEqual([next.id])
      expect(await balances(payer, next, key)).toEqual([10n, 90n, 0n])
      await charge(key, 40n)
      expect(await balances(payer, next)).toEqual([10n, 50n])
      expect(await take(key, 50n)).toMatchObject({ takenPico: 50n })
      const again = await rotated(key)
      expect(await payers(again)).toEqual([next.id])
      await charge(key, 50n)
      expect(await balances(next, again, key)).toEqual([0n, 0n, 0n])
      await expectTrueBooks()
    })

    it('leaves them and its credit to the next default key when it is revoked', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const [first, second] = [await drawing(payer), await drawing(payer)]
      await take(first, 20n)
      await take(second, 30n)
      const heir = await newKey(storage, payer.accountId)
      await storage.apiKeys.revoke(payer.accountId, payer.id, Date.now())
      expect(await payers(first, second)).toEqual([heir.id, heir.id])
      expect(await balances(payer, heir)).toEqual([0n, 100n])
      await storage.apiKeys.revoke(payer.accountId, heir.id, Date.now())
      expect(await payers(first, second)).toEqual([null, first.id])
      expect(await balances(heir, first, second)).toEqual([0n, 100n, 0n])
      await charge(second, 30n)
      expect(await balances(first)).toEqual([70n])
      await storage.apiKeys.revoke(payer.accountId, first.id, Date.now())
      await storage.apiKeys.revoke(payer.accountId, second.id, Date.now())
      await storage.leases.giveBackAll(node)
      expect(await storage.accounts.find(payer.accountId)).toMatchObject({ unassignedPico: 70n })
      await expectTrueBooks()
    })

    it('pays for a revoked key whose requests are still running', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 100n)
      const key = await drawing(payer)
      await take(key, 40n)
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      await draw(payer, (await newKey(storage, payer.accountId)).id)
      await charge(key, 25n)
      await storage.leases.giveBackAll(node)
      expect(await storage.accounts.find(payer.accountId)).toMatchObject({ balancePico: 75n })
      expect(await balances(payer, key)).toEqual([0n, 0n])
      await expectTrueBooks()
    })

    it('may be changed concurrently', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 1_000n)
      const keys = await Promise.all(Array.from({ length: 6 }, () => drawing(payer)))
      await Promise.all([
        ...keys.map((key) => take(key, 50n)),
        rotated(payer),
        ...keys.map((key) => charge(key, 20n)),
        drawing(payer, 'default'),
        storage.apiKeys.revoke(payer.accountId, keys[0]!.id, Date.now()),
      ])
      await storage.leases.giveBackAll(node)
      expect(await storage.accounts.find(payer.accountId)).toMatchObject({ balancePico: 880n })
      await expectTrueBooks()
    })
  })
})
