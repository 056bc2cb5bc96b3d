import type { CreditMovement, LedgerTransfer } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { fundedKey, newKey, newRecord, noonMs, uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const dayMs = 86_400_000

onEachEngine((opened) => {
  const entriesOf = async (key: ApiKey, filter = {}): Promise<LedgerTransfer[]> => {
    const { rows } = await opened().storage.ledger.list(key.accountId, { limit: 100 }, filter)
    return rows
  }

  const charge = async (key: ApiKey, chargePico: bigint, startedAtMs = noonMs) => {
    const record = newRecord(key, { chargePico, startedAtMs })
    await opened().storage.requests.write('node_u', [record])
    return record
  }

  const correctionOf = (entry: LedgerTransfer, amountPico: bigint): CreditMovement => ({
    accountId: entry.accountId,
    kind: 'adjustment',
    amountPico,
    reference: uniqueText(),
    reason: 'charged by mistake',
    corrects: entry.id,
  })

  const expectTrueBooks = async (): Promise<void> => {
    expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  }

  const transfersOf = (requestId: string): string =>
    `SELECT 1 / (SELECT count(*) FROM ledger_transfers WHERE request_id = '${requestId}')`

  describe('the charge of a request', () => {
    it('is an entry of the ledger that is told as a transfer is', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const record = await charge(key, 40n)
      expect(await entriesOf(key, { kinds: ['usage'] })).toEqual([
        {
          id: record.id.replace('req_', 'led_'),
          kind: 'usage',
          reference: `usage:${record.id}`,
          debitAccount: `key:${key.id}`,
          creditAccount: 'revenue',
          amountPico: 40n,
          accountId: key.accountId,
          requestId: record.id,
          reason: null,
          correctsTransferId: null,
          createdAtMs: noonMs,
        },
      ])
      await expectTrueBooks()
    })

    it('debits the key that paid, and is found by that one', async () => {
      const payer = await fundedKey(opened().storage, 1_000n)
      const key = await newKey(opened().storage, payer.accountId, Date.now() + 1_000, payer.id)
      const record = await charge(key, 40n)
      const [entry, ...others] = await entriesOf(payer, { kinds: ['usage'], keyId: payer.id })
      expect(entry).toMatchObject({ requestId: record.id, debitAccount: `key:${payer.id}` })
      expect(others).toEqual([])
      expect(await entriesOf(payer, { kinds: ['usage'], keyId: key.id })).toEqual([])
      await expectTrueBooks()
    })

    it('is listed with transfers page by page, each once and the newest first', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const records = []
      for (let hour = 0; hour < 7; hour++) records.push(await charge(key, 1n, noonMs + hour * 3_600_000))
      records.push(await charge(key, 0n, noonMs + dayMs))
      // Two of them are transfers by now.
      const listed = await entriesOf(key, { kinds: ['usage'] })
      for (const entry of [listed[1]!, listed[4]!])
        await opened().storage.ledger.move(correctionOf(entry, 1n), Date.now())
      const all = await entriesOf(key)
      expect(
        all
          .map(({ kind }) => kind)
          .sort()
          .join(' '),
      ).toBe(`adjustment adjustment grant${' usage'.repeat(7)}`)
      expect(all.map(({ id }) => id)).toEqual(
        all
          .map(({ id }) => id)
          .sort()
          .toReversed(),
      )
      const paged: LedgerTransfer[] = []
      let cursor: string | undefined
      do {
        const page = { limit: 3, ...(cursor !== undefined && { cursor }) }
        const { rows, nextCursor } = await opened().storage.ledger.list(key.accountId, page)
        paged.push(...rows)
        cursor = nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(paged).toEqual(all)
      const range = { kinds: ['usage' as const], fromMs: noonMs + 3_600_000, toMs: noonMs + 5 * 3_600_000 }
      expect((await entriesOf(key, range)).map(({ requestId }) => requestId)).toEqual(
        records
          .slice(1, 5)
          .map(({ id }) => id)
          .toReversed(),
      )
      await expectTrueBooks()
    })

    it('cannot be changed, moved to another key or deleted', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const other = await newKey(opened().storage, key.accountId, Date.now() + 1_000)
      const { id } = await charge(key, 40n)
      const refused = async (statement: string, reason: RegExp): Promise<void> => {
        await expect(opened().database.execute(`${statement} WHERE id = '${id}'`)).rejects.toThrow(reason)
      }
      await refused('UPDATE requests SET charge_pico = 39', /never changes/)
      await refused(`UPDATE requests SET key_id = '${other.id}'`, /never changes/)
      await refused('UPDATE requests SET started_at_ms = 1', /never changes/)
      await refused('DELETE FROM requests', /before its row is deleted/)
      await opened().database.execute(`UPDATE requests SET paid_by = '${key.id}' WHERE id = '${id}'`)
      await refused(`UPDATE requests SET paid_by = '${other.id}'`, /never changes/)
      await refused('UPDATE requests SET paid_by = NULL', /never changes/)
    })
  })

  describe('a correction of a charge', () => {
    it('makes a transfer of it, under the same identifier', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const record = await charge(key, 40n)
      const [before] = await entriesOf(key, { kinds: ['usage'] })
      const moved = await opened().storage.ledger.move(correctionOf(before!, 15n), Date.now())
      expect(moved).toMatchObject({ transfer: { correctsTransferId: before!.id, amountPico: 15n } })
      expect(await entriesOf(key, { kinds: ['usage'] })).toEqual([before])
      await opened().database.execute(transfersOf(record.id))
      await expectTrueBooks()
    })

    it('makes one transfer of it, however many corrections come at once', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      await charge(key, 40n)
      const [entry] = await entriesOf(key, { kinds: ['usage'] })
      const { ledger } = opened().storage
      const moved = await Promise.all(
        Array.from({ length: 6 }, () => ledger.move(correctionOf(entry!, 1n), Date.now())),
      )
      for (const one of moved) expect(one).toHaveProperty('transfer.correctsTransferId', entry!.id)
      expect(await entriesOf(key, { kinds: ['usage'] })).toEqual([entry])
      await expectTrueBooks()
    })

    it('of another account finds nothing, and leaves the row as it was', async () => {
      const [mine, theirs] = [await fundedKey(opened().storage, 9n), await fundedKey(opened().storage, 9n)]
      const { id } = await charge(theirs, 4n)
      const [entry] = await entriesOf(theirs, { kinds: ['usage'] })
      const stolen = { ...correctionOf(entry!, 4n), accountId: mine.accountId }
      expect(await opened().storage.ledger.move(stolen, Date.now())).toEqual({ refused: 'unknown-transfer' })
      await expect(
        opened().database.execute(`UPDATE requests SET charge_pico = 5 WHERE id = '${id}'`),
      ).rejects.toThrow(/never changes/)
    })
  })

  describe('a row that a node of an older version has written, with its transfer', () => {
    it('is listed once and agrees with the books', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const record = await charge(key, 40n)
      const id = newIdentifier('led', noonMs)
      await opened().database.execute(
        `INSERT INTO ledger_transfers (id, kind, reference, debit_account, credit_account, amount_pico,
           account_id, request_id, created_at_ms)
         SELECT '${id}', 'usage', 'usage:' || id, 'key:' || key_id, 'revenue', charge_pico, account_id, id,
           started_at_ms FROM requests WHERE id = '${record.id}';
         UPDATE requests SET is_entry = 0 WHERE id = '${record.id}'`,
      )
      expect(await entriesOf(key, { kinds: ['usage'] })).toMatchObject([{ id, requestId: record.id }])
      await expectTrueBooks()
    })
  })

  describe('retention', () => {
    it('leaves the entry of a deleted request as it was', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const record = await charge(key, 40n, noonMs - 10 * dayMs)
      const before = await entriesOf(key)
      await opened().storage.retention.dropBefore(noonMs - 5 * dayMs)
      expect(await entriesOf(key)).toEqual(before)
      await opened().database.execute(transfersOf(record.id))
      await expectTrueBooks()
    })

    it('lets no request be charged again that it has deleted', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const late = newRecord(key, { chargePico: 40n, startedAtMs: noonMs - 10 * dayMs })
      await opened().storage.requests.write('node_u', [late])
      await opened().storage.retention.dropBefore(noonMs - 5 * dayMs)
      const fresh = newRecord(key, { chargePico: 2n })
      const { refused } = await opened().storage.requests.write('node_u', [fresh, late])
      expect(refused).toMatchObject([{ requestId: late.id }])
      const charges = await entriesOf(key, { kinds: ['usage'] })
      expect(charges.map(({ amountPico }) => amountPico)).toEqual([2n, 40n])
      await expectTrueBooks()
    })

    it('does so by its horizon, and not by this node’s clock', async () => {
      const key = await fundedKey(opened().storage, 1_000n)
      const recent = newRecord(key, { chargePico: 40n, startedAtMs: Date.now() })
      await opened().storage.requests.write('node_u', [recent])
      await opened().storage.retention.dropBefore(Date.now() + 2 * dayMs)
      const { refused } = await opened().storage.requests.write('node_u', [recent])
      expect(refused).toMatchObject([{ requestId: recent.id }])
      expect(await entriesOf(key, { kinds: ['usage'] })).toMatchObject([{ amountPico: 40n }])
      await expectTrueBooks()
    })
  })
})
