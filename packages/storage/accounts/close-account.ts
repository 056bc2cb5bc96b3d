import { GatewayError } from '@turnpike/protocol'
import { removeLogin } from '../identity/remove-login.ts'
import { endPayments } from './end-payments.ts'
import { dropAnswersOf } from '../kept-answers/kept-answers.ts'
import { publish } from '../notices.ts'
import { dropLogsOf } from '../prompt-logs/prompt-logs.ts'
import type { Connection } from '../schema.ts'
import { dropVendorKeysOf } from '../vendor-keys/vendor-keys.ts'

/**
 * Closes an account at its owner's request and deletes the person's data: name, address, billing address,
 * logins, devices, payment methods, own vendor keys, kept answers, prompt log and notification targets. The
 * records of the books stay: the ledger, top-ups with the name on their receipts, requests, and keys without
 * secrets. The next sweep of any node revokes the keys.
 * @returns false if the account is not active
 */
export async function closeAccount(
  transaction: Connection,
  accountId: string,
  nowMs: number,
): Promise<boolean> {
  const account = await transaction
    .updateTable('accounts')
    .set({
      status: 'closed',
      display_name: null,
      claimed_name: null,
      email: null,
      email_verified: 0,
      operator: 0,
      baseline_model: null,
      log_prompts: 0,
    })
    .where('id', '=', accountId)
    .where('status', '=', 'active')
    .returning('subject')
    .executeTakeFirst()
  if (account === undefined) return false
  await requireNoMemberships(transaction, accountId)
  await transaction
    .updateTable('api_keys')
    .set({ revokes_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .execute()
  await transaction.deleteFrom('sign_ins').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('device_requests').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('billing_details').where('account_id', '=', accountId).execute()
  await endPayments(transaction, accountId, nowMs)
  await transaction.deleteFrom('event_targets').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('alert_rules').where('account_id', '=', accountId).execute()
  await dropAnswersOf(transaction, accountId)
  await dropLogsOf(transaction, accountId)
  await dropVendorKeysOf(transaction, accountId)
  if (account.subject !== null) await removeLogin(transaction, account.subject)
  await publish(transaction, { about: 'account', accountId })
  return true
}

/** Joining locks the person's row, so this sees every earlier membership and none can follow. */
async function requireNoMemberships(transaction: Connection, personId: string): Promise<void> {
  const left = await transaction
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.organization_id')
    .select('memberships.id')
    .where('person_id', '=', personId)
    .where('memberships.status', '=', 'active')
    .where('accounts.status', '<>', 'closed')
    .executeTakeFirst()
  if (left === undefined) return
  throw new GatewayError(
    'conflict_error',
    'The person is still a member of an organization and must leave it first.',
  )
}
