import type { CreditMovement, Topup, TopupMovement } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { fundedKey, newKey, newRecord, noonMs, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

/** Movements of credit, and charges by older nodes, for a key that draws on another one. */
onEachEngine((opened) => {
  /** Keys created in the same millisecond have no order. */
  let madeAtMs = Date.now()
  const drawing = (payer: ApiKey): Promise<ApiKey> =>
    newKey(opened().storage, payer.accountId, (madeAtMs += 10), payer.id)

  const balances = async (...keys: ApiKey[]): Promise<bigint[]> => {
    const { apiKeys } = opened().storage
    const found = await Promise.all(keys.map((key) => apiKeys.find(key.accountId, key.id)))
    return found.map((key) => key!.balancePico)
  }

  const draw = (key: ApiKey, drawsOn: string | null) =>
    opened().storage.apiKeys.update(key.accountId, key.id, { drawsOn })

  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  describe('a movement that is sent again', () => {
    const taken = (key: ApiKey, changes: Partial<CreditMovement> = {}): CreditMovement => ({
      accountId: key.accountId,
      keyId: key.id,
      kind: 'refund',
      amountPico: -7n,
      reference: uniqueText(),
      reason: 'a dispute',
      ...changes,
    })

    it('is recognized, whichever key pays by then', async () => {
      const { ledger } = opened().storage
      const payer = await fundedKey(opened().storage, 100n)
      const [key, other] = [await drawing(payer), await fundedKey(opened().storage, 1n)]
      const refund = taken(key)
      const first = await ledger.move(refund, noonMs)
      expect(first).toMatchObject({ transfer: { debitAccount: `key:${payer.id}`, amountPico: 7n } })
      await draw(key, null)
      expect(await ledger.move(refund, noonMs)).toEqual(first)
      const second = await newKey(opened().storage, payer.accountId, (madeAtMs += 10))
      await draw(key, second.id)
      expect(await ledger.move(refund, noonMs)).toEqual(first)
      expect(await balances(payer, key, second)).toEqual([93n, 0n, 0n])
      const reused = { refused: 'reference-reused' }
      expect(await ledger.move({ ...refund, amountPico: -8n }, noonMs)).toEqual(reused)
      expect(await ledger.move({ ...taken(other), reference: refund.reference }, noonMs)).toEqual(reused)
      await expectTrueBooks()
    })

    it('is refused if it names another key', async () => {
      const { ledger } = opened().storage
      const payer = await fundedKey(opened().storage, 100n)
      const [key, other] = [await drawing(payer), await drawing(payer)]
      const grant = taken(key, { kind: 'grant', amountPico: 7n })
      await ledger.move(grant, noonMs)
      expect(await ledger.move({ ...grant, keyId: other.id }, noonMs)).toEqual({
        refused: 'reference-reused',
      })
      expect(await balances(payer, key, other)).toEqual([100n, 7n, 0n])
    })
  })

  describe('a top-up for a key that has drawn on another one since', () => {
    async function paid(key: ApiKey, amountPico: bigint): Promise<Topup> {
      const { topups } = opened().storage
      const session = { accountId: key.accountId, keyId: key.id, amountPico, idempotencyKey: null }
      const { id } = await topups.reserve({ ...session, processor: 'stripe' }, noonMs)
      const sessionId = `cs_${uniqueText()}`
      await topups.attach(id, { sessionId, url: 'https://checkout.test/', expiresAtMs: noonMs + 1 })
      return (await change(id, { of: 'paid', kind: 'topup', amountPico, reference: `topup:${id}` }))!
    }

    async function change(
      id: string,
      movement: Omit<TopupMovement & { kind: 'topup' | 'refund' }, 'reason'>,
    ): Promise<Topup | undefined> {
      const movements = [{ ...movement, reason: 'told' } as TopupMovement]
      const decided = { movements, paymentId: `pi_${id}` }
      return (await opened().storage.topups.change(id, () => decided, noonMs))?.topup
    }

    it('is taken from the paying key by a dispute, and returned to it when the dispute is won', async () => {
      const payer = await fundedKey(opened().storage, 100n)
      const key = await newKey(opened().storage, payer.accountId, (madeAtMs += 10))
      const { id } = await paid(key, 50n)
      expect(await balances(payer, key)).toEqual([100n, 50n])
      await draw(key, payer.id)
      expect(await balances(payer, key)).toEqual([150n, 0n])
      const reference = `dispute:${id}:dp_1`
      await change(id, { of: 'disputed', kind: 'refund', amountPico: -50n, reference })
      expect(await balances(payer, key)).toEqual([100n, 0n])
      const won = {
        of: 'disputed',
        kind: 'reversal',
        reverses: reference,
        reference: `${reference}:ended`,
        reason: 'won',
      }
      await opened().storage.topups.change(id, () => ({ movements: [won as TopupMovement] }), noonMs)
      expect(await balances(payer, key)).toEqual([150n, 0n])
      await expectTrueBooks()
    })

    it('takes the paying key below zero if it was spent, and blocks keys that draw on it', async () => {
      const { storage } = opened()
      const payer = await fundedKey(storage, 10n)
      const key = await newKey(storage, payer.accountId, (madeAtMs += 10))
      const { id } = await paid(key, 50n)
      await draw(key, payer.id)
      await storage.leases.take('node_a', key.id, 40n, 40n, noonMs)
      await storage.requests.write('node_a', [newRecord(key, { chargePico: 40n })])
      await change(id, { of: 'refunded', kind: 'refund', amountPico: -50n, reference: `refund:${id}:1` })
      expect(await balances(payer, key)).toEqual([-30n, 0n])
      expect(await storage.leases.take('node_a', key.id, 1n, 1n, noonMs)).toMatchObject({ takenPico: 0n })
      await expectTrueBooks()
    })
  })

  it('stays with the account when its keys are revoked in any order', async () => {
    const { storage } = opened()
    const payer = await fundedKey(storage, 100n)
    const keys = [await drawing(payer), await drawing(payer), await drawing(payer)]
    await storage.leases.take('node_a', keys[1]!.id, 40n, 40n, noonMs)
    expect(await storage.accounts.close(payer.accountId, noonMs)).toBe(true)
    while ((await storage.apiKeys.revokeDue(noonMs)).length > 0);
    await storage.requests.write('node_a', [newRecord(keys[1]!, { chargePico: 30n })])
    await storage.leases.giveBackAll('node_a')
    expect(await balances(payer, ...keys)).toEqual([0n, 0n, 0n, 0n])
    expect(await storage.accounts.find(payer.accountId)).toMatchObject({
      balancePico: 0n,
      unassignedPico: 70n,
    })
    await expectTrueBooks()
  })

  describe('a node of the previous version', () => {
    it('creates keys with their own credit', async () => {
      const { storage, database } = opened()
      const payer = await fundedKey(storage, 100n)
      const [id, hash] = [payer.id.replace(/.$/, 'Z'), uniqueText()]
      await database.execute(
        `INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, status, created_at_ms)
         VALUES ('${id}', '${payer.accountId}', 'old', 'p', '${hash}', 'active', 1)`,
      )
      await database.execute(
        `INSERT INTO ledger_accounts (id, kind, account_id, key_id, balance_pico, leased_pico)
         VALUES ('key:${id}', 'key_credit', '${payer.accountId}', '${id}', 0, 0)`,
      )
      expect(await storage.apiKeys.find(payer.accountId, id)).toMatchObject({
        drawsOn: null,
        balancePico: 0n,
      })
      await expectTrueBooks()
    })

    it('charges a drawing key itself: `verify` finds it, and setting `draws_on` again mends it', async () => {
      const { storage, database } = opened()
      const payer = await fundedKey(storage, 100n)
      const key = await drawing(payer)
      // The previous version posts a charge like this if no lease of the key covers it.
      await draw(key, null)
      await storage.requests.write('node_old', [newRecord(key, { chargePico: 30n })])
      await database.execute(`UPDATE api_keys SET draws_on = '${payer.id}' WHERE id = '${key.id}'`)
      expect(await balances(payer, key)).toEqual([100n, -30n])
      const { differences } = await storage.ledger.verify()
      expect(differences.map(({ subject }) => subject)).toContain(
        `credit of ${key.id}, which draws on another key`,
      )
      await draw(key, payer.id)
      expect(await balances(payer, key)).toEqual([70n, 0n])
      await expectTrueBooks()
    })
  })
})
