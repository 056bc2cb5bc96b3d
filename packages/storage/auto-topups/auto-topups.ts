import type { AutoTopup, AutoTopupStore, ChargeAttempt } from '@turnpike/billing'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { toTopup } from '../topups/row.ts'
import { inTransaction } from '../database/transaction.ts'
import { attemptOf, beginAttempt, sumOfMonth, claimAttempts } from './attempts.ts'
import { DueAccounts } from './due-accounts.ts'
import { concludeActions, recordFailure, needsAction, recordSuccess, recordWithdrawal } from './outcomes.ts'
import { claimRemoved } from './removed-methods.ts'
import { toAutoTopup, toPaymentMethod } from './rows.ts'
import { keepMethod, removeMethod, setSettings } from './settings.ts'

/** @param taken accounts from whose credit this node has taken */
export function autoTopupStore(database: Database, taken: ChangedIds): AutoTopupStore {
  const due = new DueAccounts(database.write, taken)
  const within: Within = (work) => inTransaction(database, work)
  return {
    find: (accountId) => find(database.write, accountId),
    chargedPico: (accountId, nowMs) => sumOfMonth(database.write, accountId, nowMs),
    async set(accountId, settings, nowMs) {
      const set = await within(async (transaction) => {
        const isSet = await setSettings(transaction, { accountId, settings, nowMs })
        return isSet ? find(transaction, accountId) : undefined
      })
      // The new threshold may be above the current balance.
      taken.note([accountId])
      return set
    },
    async disable(accountId, nowMs) {
      await database.write
        .updateTable('auto_topups')
        .set({ enabled: 0, updated_at_ms: nowMs })
        .where('account_id', '=', accountId)
        .execute()
    },
    ...methodsOf(database, within),
    async begin(processor, limit, untilMs, nowMs) {
      const begun: ChargeAttempt[] = []
      for (const accountId of await due.find(processor, limit, nowMs)) {
        const attempt = await within((transaction) =>
          beginAttempt(transaction, { accountId, untilMs, nowMs }),
        )
        if (attempt !== undefined) begun.push(attempt)
      }
      return begun
    },
    claim: (limit, untilMs, nowMs) =>
      within((transaction) => claimAttempts(transaction, { limit, untilMs, nowMs })),
    attemptOf: (topupId) => attemptOf(database.write, topupId),
    async postpone(topupId, untilMs) {
      await database.write
        .updateTable('auto_topups')
        .set({ next_at_ms: untilMs })
        .where('topup_id', '=', topupId)
        .where('state', '=', 'charging')
        .execute()
    },
    recordSuccess: (topupId, nowMs) => within((transaction) => recordSuccess(transaction, topupId, nowMs)),
    recordFailure: (topupId, reason, nowMs) =>
      within((transaction) => recordFailure(transaction, { topupId, reason, nowMs })),
    withdrawn: (topupId, nowMs) => within((transaction) => recordWithdrawal(transaction, topupId, nowMs)),
    needsAction: (topupId, actionTopupId, nowMs) =>
      within((transaction) => needsAction(transaction, { topupId, actionTopupId, nowMs })),
    concludeActions: (limit, nowMs) => within((transaction) => concludeActions(transaction, limit, nowMs)),
  }
}

type Within = <Answer>(work: (transaction: Connection) => Promise<Answer>) => Promise<Answer>

type MethodCalls =
  | 'methods'
  | 'findMethod'
  | 'keepMethod'
  | 'withMethodToKeep'
  | 'removeMethod'
  | 'claimRemoved'
  | 'forgotten'

/** The payment methods that customers saved. */
function methodsOf(database: Database, within: Within): Pick<AutoTopupStore, MethodCalls> {
  return {
    async methods(accountId) {
      const rows = await activeMethods(database.write, accountId).orderBy('id', 'desc').execute()
      return rows.map(toPaymentMethod)
    },
    async findMethod(accountId, id) {
      const row = await activeMethods(database.write, accountId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toPaymentMethod(row)
    },
    keepMethod: (topup, method, nowMs) =>
      within((transaction) => keepMethod(transaction, { topup, method, nowMs })),
    async withMethodToKeep(limit) {
      const rows = await database.write
        .selectFrom('topups')
        .selectAll()
        .where('saves_method', '=', 'wanted')
        .where('paid_pico', '>', 0n)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toTopup)
    },
    removeMethod: (accountId, id, nowMs) =>
      within((transaction) => removeMethod(transaction, { accountId, id, nowMs })),
    claimRemoved: (processor, limit, nowMs) =>
      within((transaction) => claimRemoved(transaction, { processor, limit, nowMs })),
    async forgotten(id) {
      await database.write
        .updateTable('payment_methods')
        .set({ forget_at_ms: null })
        .where('id', '=', id)
        .execute()
    },
  }
}

async function find(connection: Connection, accountId: string): Promise<AutoTopup | undefined> {
  const row = await connection
    .selectFrom('auto_topups')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? undefined : toAutoTopup(row)
}

function activeMethods(connection: Connection, accountId: string) {
  return connection
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
}
