import type { AuditEntry, AuditEntryRead, AuditFilter } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

const nowMs = Date.UTC(2026, 2, 15, 12)

function entryAt(atMs: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    requestId: newIdentifier('req', atMs),
    atMs,
    actor: 'user',
    subject: 'ada',
    action: 'createKey',
    accountId: 'acct_a',
    target: 'key_1',
    status: 201,
    details: '{"name":"laptop"}',
    address: '2001:db8::1',
    ...fields,
  }
}

onEachEngine((opened) => {
  const store = () => opened().storage.audit
  const entries = [
    entryAt(nowMs),
    entryAt(nowMs + 1, { actor: 'operator', subject: null, accountId: null, target: null, details: null }),
    entryAt(nowMs + 2, { subject: 'grace', accountId: 'acct_b', target: 'key_2' }),
    entryAt(nowMs + 3, { action: 'revokeKey', status: 404 }),
  ]
  beforeAll(async () => {
    for (const entry of entries) await store().append(entry)
  })
  const written = ({ by: _by, of: _of, ...entry }: AuditEntryRead): AuditEntry => entry
  const numbersOf = (rows: AuditEntry[]) =>
    rows.map(({ requestId }) => entries.findIndex((entry) => entry.requestId === requestId))

  describe('the audit log', () => {
    it('returns everything as it was written, newest first, page by page', async () => {
      const first = await store().list({}, { limit: 3 })
      expect(first.rows.map(written)).toEqual([entries[3], entries[2], entries[1]])
      const rest = await store().list({}, { limit: 3, cursor: first.nextCursor! })
      expect([rest.rows.map(written), rest.nextCursor]).toEqual([[entries[0]], null])
    })

    it.each<[AuditFilter, number[]]>([
      [{ accountId: 'acct_a' }, [3, 0]],
      [{ target: 'key_2' }, [2]],
      [{ actor: 'operator' }, [1]],
      [{ subject: 'grace' }, [2]],
      [{ action: 'revokeKey' }, [3]],
      [{ fromMs: nowMs + 1, toMs: nowMs + 3 }, [2, 1]],
      [{ actor: 'user', accountId: 'acct_a', action: 'createKey' }, [0]],
      [{ subject: 'nobody' }, []],
      [{ who: 'grace' }, [2]],
      [{ refused: true }, [3]],
      [{ refused: false, who: 'ada' }, [0]],
    ])('%j', async (filter, expected) => {
      expect(numbersOf((await store().list(filter, { limit: 10 })).rows)).toEqual(expected)
    })

    it('is append-only', async () => {
      const { database } = opened()
      await expect(database.execute(`UPDATE audit_entries SET subject = 'x'`)).rejects.toThrow(/append-only/)
      await expect(database.execute('DELETE FROM audit_entries')).rejects.toThrow(/append-only/)
      await expect(store().append(entries[0]!)).rejects.toThrow()
      expect((await store().list({}, { limit: 10 })).rows).toHaveLength(entries.length)
    })

    it('refuses a cursor of another list', async () => {
      const cursor = Buffer.from(JSON.stringify([uniqueText(), 'x'])).toString('base64url')
      await expect(store().list({}, { limit: 1, cursor })).rejects.toThrow(/cursor/)
    })
  })
})
