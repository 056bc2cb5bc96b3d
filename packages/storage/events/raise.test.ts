import type { NewEvent } from '@turnpike/notify'
import { expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { newAccount, noonMs, uniqueText } from '../testing/fixtures.ts'
import { openDatabase } from '../testing/open-database.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { raise } from './raise.ts'

onEachEngine((opened) => {
  const withDatabase = async (work: (database: Database) => Promise<void>): Promise<void> => {
    const database = await openDatabase(opened().database.options)
    try {
      await work(database)
    } finally {
      await database.close()
    }
  }
  const event = (accountId: string, changes: Partial<NewEvent> = {}): NewEvent => ({
    type: 'topup.paid',
    accountId,
    dedupeKey: uniqueText(),
    occurredAtMs: noonMs,
    data: { amount_usd: '25' },
    ...changes,
  })

  test('an event is raised once per dedupe key, even concurrently', async () => {
    const account = await newAccount(opened().storage)
    const one = event(account.id)
    await withDatabase(async (database) => {
      const raised = await Promise.all(
        [1, 2, 3].map(() => inTransaction(database, (transaction) => raise(transaction, one))),
      )
      expect(raised.filter((found) => found !== undefined)).toHaveLength(1)
      const again = await inTransaction(database, (transaction) => raise(transaction, one))
      expect(again).toBeUndefined()
    })
  })

  test('events without a dedupe key are all raised; a transaction that fails raises none', async () => {
    const account = await newAccount(opened().storage)
    await withDatabase(async (database) => {
      const free = event(account.id, { dedupeKey: null })
      for (const _ of [1, 2]) await inTransaction(database, (transaction) => raise(transaction, free))
      const failing = inTransaction(database, async (transaction) => {
        await raise(transaction, free)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      const rows = await database.read
        .selectFrom('events')
        .select('id')
        .where('account_id', '=', account.id)
        .execute()
      expect(rows).toHaveLength(2)
    })
  })
})
