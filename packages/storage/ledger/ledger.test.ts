import { ledgerAccountId, maxPico, type CreditMovement } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { fundedKey, grant, newAccount, newKey, newRecord, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const move = (
    movement: Omit<CreditMovement, 'reason' | 'reference'> & { reference?: string; reason?: string },
  ) => opened().storage.ledger.move({ reference: uniqueText(), reason: null, ...movement }, Date.now())

  describe('movements', () => {
    it('debit and credit the accounts of their kind', async () => {
      const { id, accountId } = await fundedKey(opened().storage, 100n)
      const key = ledgerAccountId.key(id)
      const sides = async (kind: CreditMovement['kind'], amountPico: bigint) => {
        const result = await move({ accountId, kind, amountPico })
        return 'transfer' in result
          ? [result.transfer.debitAccount, result.transfer.creditAccount, result.transfer.amountPico]
          : result.refused
      }
      expect(await sides('grant', 5n)).toEqual(['grants', key, 5n])
      expect(await sides('topup', 6n)).toEqual(['payments', key, 6n])
      expect(await sides('refund', -7n)).toEqual([key, 'refunds', 7n])
      expect(await sides('adjustment', 8n)).toEqual(['adjustments', key, 8n])
      expect(await sides('adjustment', -9n)).toEqual([key, 'adjustments', 9n])
      expect(await opened().storage.apiKeys.find(accountId, id)).toMatchObject({ balancePico: 103n })
    })

    it('go to the default key unless one is named, and are refused with the reason', async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 1n)
      const { accountId } = first
      const second = await newKey(storage, accountId, Date.now() + 1_000)
      await move({ accountId, kind: 'grant', amountPico: 10n })
      await move({ accountId, keyId: second.id, kind: 'grant', amountPico: 20n })
      expect(await storage.apiKeys.find(accountId, first.id)).toMatchObject({ balancePico: 11n })
      expect(await storage.apiKeys.find(accountId, second.id)).toMatchObject({ balancePico: 20n })
      const stranger = await fundedKey(storage, 1n)
      const grants = { kind: 'grant' as const, amountPico: 1n }
      expect(await move({ ...grants, accountId, keyId: stranger.id })).toEqual({ refused: 'unknown-key' })
      expect(await move({ ...grants, accountId: 'acct_none' })).toEqual({ refused: 'unknown-account' })
      expect(await move({ ...grants, accountId: 'acct_none', keyId: first.id })).toEqual({
        refused: 'unknown-account',
      })
      expect(await move({ ...grants, accountId, amountPico: maxPico })).toEqual({ refused: 'balance-limit' })
    })

    it('are posted once per reference, whoever repeats them', async () => {
      const { storage } = opened()
      const { accountId, id } = await fundedKey(storage, 100n)
      const movement = { accountId, kind: 'topup' as const, amountPico: 50n, reference: uniqueText() }
      const results = await Promise.all(Array.from({ length: 12 }, () => move(movement)))
      const ids = results.map((result) => ('transfer' in result ? result.transfer.id : result.refused))
      expect(new Set(ids).size).toBe(1)
      expect(await storage.apiKeys.find(accountId, id)).toMatchObject({ balancePico: 150n })
      expect(await move({ ...movement, amountPico: 51n })).toEqual({ refused: 'reference-reused' })
      expect(await move({ ...movement, kind: 'grant' })).toEqual({ refused: 'reference-reused' })
      expect(await move({ ...movement, reason: 'other' })).toEqual({ refused: 'reference-reused' })
      await newKey(storage, accountId)
      await storage.apiKeys.revoke(accountId, id, Date.now())
      expect(await move(movement)).toMatchObject({ transfer: { id: ids[0] } })
    })

    it('throw for a wrong sign or size', async () => {
      await expect(move({ accountId: 'acct_x', kind: 'grant', amountPico: -1n })).rejects.toThrow(RangeError)
      await expect(move({ accountId: 'acct_x', kind: 'refund', amountPico: 1n })).rejects.toThrow(RangeError)
      await expect(move({ accountId: 'acct_x', kind: 'adjustment', amountPico: 0n })).rejects.toThrow(
        RangeError,
      )
      await expect(move({ accountId: 'acct_x', kind: 'grant', amountPico: maxPico + 1n })).rejects.toThrow(
        RangeError,
      )
    })
  })

  describe('transfers between keys', () => {
    it('move credit that is neither spent nor leased', async () => {
      const { storage } = opened()
      const from = await fundedKey(storage, 100n)
      const { accountId } = from
      const to = await newKey(storage, accountId)
      await storage.leases.take('node_t', from.id, 30n, 30n, Date.now())
      const transfer = (amountPico: bigint, toKeyId = to.id, reference = uniqueText()) =>
        storage.ledger.transferBetweenKeys(
          { accountId, fromKeyId: from.id, toKeyId, amountPico, reference },
          Date.now(),
        )
      expect(await transfer(71n)).toEqual({ refused: 'insufficient-credit' })
      const first = await transfer(70n, to.id, 'same-reference')
      expect(first).toMatchObject({ transfer: { kind: 'transfer', amountPico: 70n } })
      expect(await transfer(70n, to.id, 'same-reference')).toEqual(first)
      expect(await transfer(69n, to.id, 'same-reference')).toEqual({ refused: 'reference-reused' })
      expect(await transfer(1n, from.id)).toEqual({ refused: 'same-key' })
      const stranger = await fundedKey(storage, 1n)
      expect(await transfer(1n, stranger.id)).toEqual({ refused: 'unknown-key' })
      await storage.apiKeys.revoke(accountId, to.id, Date.now())
      expect(await transfer(1n)).toEqual({ refused: 'key-revoked' })
    })

    it('do not deadlock in both directions at once', async () => {
      const { storage } = opened()
      const left = await fundedKey(storage, 10_000n)
      const { accountId } = left
      const right = await newKey(storage, accountId)
      await storage.ledger.transferBetweenKeys(
        { accountId, fromKeyId: left.id, toKeyId: right.id, amountPico: 5_000n, reference: uniqueText() },
        Date.now(),
      )
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const [from, to] = index % 2 === 0 ? [left, right] : [right, left]
          return storage.ledger.transferBetweenKeys(
            { accountId, fromKeyId: from.id, toKeyId: to.id, amountPico: 7n, reference: uniqueText() },
            Date.now(),
          )
        }),
      )
      expect(await storage.apiKeys.find(accountId, left.id)).toMatchObject({ balancePico: 5_000n })
    })
  })

  it('lists newest first in pages that new rows do not shift', async () => {
    const { storage } = opened()
    const account = await newAccount(storage)
    for (let index = 1; index <= 5; index++) {
      await storage.ledger.move(
        {
          accountId: account.id,
          kind: 'grant',
          amountPico: BigInt(index),
          reference: uniqueText(),
          reason: null,
        },
        Date.now() - 10_000 + index,
      )
    }
    const first = await storage.ledger.list(account.id, { limit: 2 })
    await grant(storage, account.id, 99n)
    const second = await storage.ledger.list(account.id, { limit: 2, cursor: first.nextCursor! })
    const third = await storage.ledger.list(account.id, { limit: 2, cursor: second.nextCursor! })
    const amounts = [first, second, third].map((page) => page.rows.map((row) => Number(row.amountPico)))
    expect(amounts).toEqual([[5, 4], [3, 2], [1]])
    expect(third.nextCursor).toBeNull()
  })

  it('cannot be changed once posted', async () => {
    const { storage, database } = opened()
    const key = await fundedKey(storage, 100n)
    await storage.requests.write('node_x', [newRecord(key)])
    await expect(database.execute('UPDATE ledger_transfers SET amount_pico = 1')).rejects.toThrow(
      'append-only',
    )
    await expect(database.execute('DELETE FROM ledger_transfers')).rejects.toThrow('append-only')
    await expect(database.execute("UPDATE prices SET pricing = '{}'")).rejects.toThrow('append-only')
    if (database.engine === 'postgres')
      await expect(database.execute('TRUNCATE ledger_transfers CASCADE')).rejects.toThrow('append-only')
  })
})
