import { newIdentifier } from '@turnpike/protocol'
import type { ApiKey } from '@turnpike/identity'
import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

/** A transfer written directly to the database, past all stores. */
function insertion(key: ApiKey, changes: Record<string, string | number | null> = {}): string {
  const row = {
    id: newIdentifier('led'),
    kind: 'grant',
    reference: uniqueText(),
    debit_account: 'grants',
    credit_account: `key:${key.id}`,
    amount_pico: 5,
    account_id: key.accountId,
    request_id: null,
    corrects_transfer_id: null,
    created_at_ms: 1,
    ...changes,
  }
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value ?? 'NULL'),
  )
  return `INSERT INTO ledger_transfers (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`
}

onEachEngine((opened) => {
  describe('the database itself refuses', () => {
    const refused = async (statement: string, reason: RegExp): Promise<void> => {
      await expect(opened().database.execute(statement)).rejects.toThrow(reason)
    }

    it('a transfer with one side, to itself, of zero, or with sides that do not fit its kind', async () => {
      const key = await fundedKey(opened().storage, 10n)
      const constraint = /constraint/i
      await refused(insertion(key, { debit_account: null }), constraint)
      await refused(insertion(key, { credit_account: 'key:key_none' }), constraint)
      await refused(insertion(key, { debit_account: `key:${key.id}` }), constraint)
      await refused(insertion(key, { amount_pico: 0 }), constraint)
      await refused(insertion(key, { amount_pico: -5 }), constraint)
      await refused(insertion(key, { kind: 'topup' }), constraint)
      await refused(insertion(key, { kind: 'usage' }), constraint)
    })

    it('a reference that was used before', async () => {
      const key = await fundedKey(opened().storage, 10n)
      const twice = { reference: uniqueText() }
      await opened().database.execute(insertion(key, twice))
      await refused(insertion(key, twice), /unique/i)
    })

    it('a transfer of another account’s credit', async () => {
      const [mine, theirs] = [await fundedKey(opened().storage, 10n), await fundedKey(opened().storage, 10n)]
      const stolen = { kind: 'transfer', debit_account: `key:${theirs.id}` }
      await refused(insertion(mine, stolen), /its own account/)
      await refused(insertion(mine, { account_id: theirs.accountId }), /its own account/)
    })

    it('an invalid correction', async () => {
      const { storage } = opened()
      const [mine, theirs] = [await fundedKey(storage, 10n), await fundedKey(storage, 10n)]
      const entryOf = async (key: ApiKey): Promise<string> =>
        (await storage.ledger.list(key.accountId, { limit: 1 })).rows[0]!.id
      const adjustment = { kind: 'adjustment', debit_account: 'adjustments' }
      const corrects = { ...adjustment, corrects_transfer_id: await entryOf(theirs) }
      await refused(insertion(mine, corrects), /same account/)
      await refused(
        insertion(mine, { corrects_transfer_id: await entryOf(mine) }),
        /correction is an adjustment/,
      )
      await refused(insertion(mine, { corrects_transfer_id: 'led_none' }), /constraint/i)
      await opened().database.execute(
        insertion(mine, { ...adjustment, corrects_transfer_id: await entryOf(mine) }),
      )
    })

    it('changed or deleted ledger accounts, deleted leases, and reactivated keys', async () => {
      const { storage } = opened()
      const [key, other] = [await fundedKey(storage, 10n), await fundedKey(storage, 10n)]
      await storage.leases.take('node_guard', key.id, 5n, 5n, Date.now())
      const mine = `WHERE id = 'key:${key.id}'`
      await refused(`UPDATE ledger_accounts SET account_id = '${other.accountId}' ${mine}`, /keeps its owner/)
      await refused(`DELETE FROM ledger_accounts ${mine}`, /never deleted/)
      await refused(`DELETE FROM leases WHERE key_id = '${key.id}'`, /given back/)
      await refused('UPDATE leases SET amount_pico = -1', /constraint/i)
      await storage.apiKeys.revoke(key.accountId, key.id, Date.now())
      const revived = `UPDATE api_keys SET status = 'active', revoked_at_ms = NULL WHERE id = '${key.id}'`
      await refused(revived, /stays revoked/)
    })
  })

  describe('corrections', () => {
    it('refer to what they correct, and go to its key or to that key’s heir', async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 1n)
      const key = (await storage.apiKeys.rotate(
        {
          accountId: first.accountId,
          keyId: first.id,
          keyPrefix: 'p',
          keyHash: uniqueText(),
          graceMs: 0,
        },
        Date.now(),
      )) as { key: ApiKey }
      const { accountId } = first
      const record = newRecord(first, { chargePico: 40n })
      await storage.requests.write('node_c', [record])
      const { rows } = await storage.ledger.list(accountId, { limit: 10 })
      const charge = rows.find((row) => row.requestId === record.id)!
      const correction = {
        accountId,
        kind: 'adjustment' as const,
        amountPico: 40n,
        reference: uniqueText(),
        reason: 'charged by mistake',
        corrects: charge.id,
      }
      const posted = await storage.ledger.move(correction, Date.now())
      expect(posted).toMatchObject({
        transfer: { correctsTransferId: charge.id, creditAccount: `key:${key.key.id}`, amountPico: 40n },
      })
      expect(await storage.ledger.move(correction, Date.now())).toEqual(posted)
      const { corrects: _, ...plain } = correction
      expect(await storage.ledger.move(plain, Date.now())).toEqual({ refused: 'reference-reused' })
      const stranger = await fundedKey(storage, 1n)
      const theirs = { ...correction, accountId: stranger.accountId, reference: uniqueText() }
      expect(await storage.ledger.move(theirs, Date.now())).toEqual({ refused: 'unknown-transfer' })
      const noAdjustment = { ...correction, kind: 'grant' as const, reference: uniqueText() }
      await expect(storage.ledger.move(noAdjustment, Date.now())).rejects.toThrow(RangeError)
      expect(await storage.apiKeys.find(accountId, key.key.id)).toMatchObject({ balancePico: 1n })
    })
  })
})
