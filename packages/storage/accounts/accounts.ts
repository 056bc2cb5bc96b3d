import { ledgerAccountId } from '@turnpike/billing'
import {
  canonicalEmail,
  type Account,
  type AccountChanges,
  type AccountStatus,
  type AccountStore,
  type NewAccount,
} from '@turnpike/identity'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { accountIds } from './account-search.ts'
import { closeAccount } from './close-account.ts'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import { endPayments } from './end-payments.ts'
import type { Connection, AccountTable } from '../schema.ts'
import { publish } from '../notices.ts'
import { signIn } from '../identity/sign-in.ts'
import { dropAnswersOf } from '../kept-answers/kept-answers.ts'
import { dropLogsOf } from '../prompt-logs/prompt-logs.ts'
import { keysMayTopUp } from '../keys/keys-may-top-up.ts'
import { lifetimeTopup, toLifetimePico } from '../topups/lifetime.ts'
import { inTransaction } from '../database/transaction.ts'
import { highSum, joinSum, lowSum } from '../database/wide-sum.ts'

const cursors = { asc: cursorsOf('accounts', ['text']), desc: cursorsOf('accounts, newest', ['text']) }

/** @param resumed collects accounts that were reactivated */
export function accountStore(database: Database, resumed?: ChangedIds): AccountStore {
  return {
    async provision(account, nowMs) {
      const { id, created } = await inTransaction(database, (transaction) =>
        provision(transaction, account, nowMs),
      )
      return { account: (await find(database.write, id))!, created }
    },
    async signIn(user, tier, nowMs) {
      const id = await signIn(database, user, (transaction, account) =>
        provision(transaction, { ...account, tier }, nowMs),
      )
      return (await find(database.write, id))!
    },
    find: (accountId) => find(database.write, accountId),
    async list({ limit, cursor, order = 'asc' }, filter = {}) {
      const after = cursor === undefined ? undefined : cursors[order].decode(cursor)[0]
      const rows = await accountsWithCredit(database.read)
        .where('accounts.id', 'in', accountIds(database.engine, filter, { limit: limit + 1, after, order }))
        .orderBy('accounts.id', order)
        .execute()
      return pageOf(rows.map(toAccount), limit, cursors[order], (row) => [row.id])
    },
    async operatorEmails() {
      const rows = await database.write
        .selectFrom('accounts')
        .select('email')
        .where('operator', '=', 1n)
        .where('email', 'is not', null)
        .execute()
      return rows.map(({ email }) => email!)
    },
    async update(accountId, changes) {
      await inTransaction(database, async (transaction) => {
        await update(transaction, accountId, changes)
        if (changes.status === 'closed') {
          await dropAnswersOf(transaction, accountId)
          await dropLogsOf(transaction, accountId)
          await endPayments(transaction, accountId, Date.now())
        }
        await publish(transaction, { about: 'account', accountId })
      })
      if (changes.status === 'active') resumed?.note([accountId])
      return find(database.write, accountId)
    },
    close: (accountId, nowMs) =>
      inTransaction(database, (transaction) => closeAccount(transaction, accountId, nowMs)),
  }
}

/** Finds the account by subject. Otherwise takes one of this email that nobody has logged in to yet. */
async function provision(
  transaction: Connection,
  account: NewAccount,
  nowMs: number,
): Promise<{ id: string; created: boolean }> {
  const email = account.email === undefined ? null : canonicalEmail(account.email)
  const subject = account.subject ?? null
  const found = await findExisting(transaction, subject, email)
  if (found === undefined)
    return { id: await insertAccount(transaction, account, email, nowMs), created: true }
  if (subject !== null && found.subject === null) {
    if (account.sparesOperators === true && found.operator === 1n) throw operatorsAccount()
    await transaction
      .updateTable('accounts')
      .set({ subject, display_name: found.display_name ?? account.displayName ?? null })
      .where('id', '=', found.id)
      .execute()
  }
  return { id: found.id, created: false }
}

function operatorsAccount(): GatewayError {
  return new GatewayError(
    'permission_error',
    "`email`: only who has the internal secret gives an operator's account to a subject.",
    { param: 'email' },
  )
}

async function findExisting(
  transaction: Connection,
  subject: string | null,
  email: string | null,
): Promise<Selectable<AccountTable> | undefined> {
  if (subject !== null) {
    const known = await transaction
      .selectFrom('accounts')
      .selectAll()
      .where('subject', '=', subject)
      .executeTakeFirst()
    if (known !== undefined) return known
  }
  if (email === null) return undefined
  return (
    transaction
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', email)
      // Not an address that only its user has claimed: anyone can register with any address.
      .where('email_verified', '=', 1n)
      // An account that belongs to another subject is never taken over through its email.
      .$if(subject !== null, (query) => query.where('subject', 'is', null))
      .orderBy('id')
      .executeTakeFirst()
  )
}

/** Creates the account and the ledger account of its unassigned credit. */
export async function insertAccount(
  transaction: Connection,
  account: NewAccount & { kind?: Account['kind'] },
  email: string | null,
  nowMs: number,
): Promise<string> {
  const id = newIdentifier('acct', nowMs)
  await transaction
    .insertInto('accounts')
    .values({
      id,
      ...(account.kind !== undefined && { kind: account.kind }),
      display_name: account.displayName ?? null,
      email,
      email_verified: email === null ? 0 : 1,
      subject: account.subject ?? null,
      status: 'active',
      tier: account.tier,
      created_at_ms: nowMs,
    })
    .execute()
  await transaction
    .insertInto('ledger_accounts')
    .values({
      id: ledgerAccountId.unassigned(id),
      kind: 'unassigned_credit',
      account_id: id,
      key_id: null,
      balance_pico: 0n,
      leased_pico: 0n,
    })
    .execute()
  return id
}

async function update(connection: Connection, accountId: string, changes: AccountChanges): Promise<void> {
  const columns = {
    ...(changes.displayName !== undefined && { display_name: changes.displayName }),
    ...(changes.status !== undefined && { status: changes.status }),
    ...(changes.tier !== undefined && { tier: changes.tier }),
    ...(changes.baselineModel !== undefined && { baseline_model: changes.baselineModel }),
    ...(changes.operator !== undefined && { operator: changes.operator ? 1 : 0 }),
    ...(changes.logPrompts !== undefined && { log_prompts: changes.logPrompts ? 1 : 0 }),
    ...(changes.keysMayTopUp !== undefined && { keys_may_top_up: changes.keysMayTopUp ? 1 : 0 }),
    ...(changes.logDays !== undefined && { log_days: changes.logDays }),
  }
  if (Object.keys(columns).length === 0) return
  await connection.updateTable('accounts').set(columns).where('id', '=', accountId).execute()
}

async function find(connection: Connection, accountId: string): Promise<Account | undefined> {
  const row = await accountsWithCredit(connection).where('accounts.id', '=', accountId).executeTakeFirst()
  return row === undefined ? undefined : toAccount(row)
}

/** Accounts with the sum of their active keys' credit and their unassigned credit, in one statement. */
function accountsWithCredit(connection: Connection) {
  return connection
    .selectFrom('accounts')
    .innerJoin('ledger_accounts as unassigned', (join) =>
      join.onRef('unassigned.account_id', '=', 'accounts.id').on('unassigned.kind', '=', 'unassigned_credit'),
    )
    .selectAll('accounts')
    .select('unassigned.balance_pico as unassigned_pico')
    .select(lifetimeTopup)
    .select((expression) => {
      const ofActiveKeys = expression
        .selectFrom('ledger_accounts as credit')
        .innerJoin('api_keys', 'api_keys.id', 'credit.key_id')
        .whereRef('credit.account_id', '=', 'accounts.id')
        .where('api_keys.status', '=', 'active')
      const playgroundKey = expression
        .selectFrom('api_keys')
        .select('api_keys.id')
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .where('api_keys.purpose', '=', 'playground')
        // Members have a playground key each; this one is the account's own.
        .where('api_keys.member_id', 'is', null)
        .where('api_keys.status', '=', 'active')
      return [
        playgroundKey.as('playground_key_id'),
        ofActiveKeys.select(highSum('credit.balance_pico').as('sum')).as('high'),
        ofActiveKeys.select(lowSum('credit.balance_pico').as('sum')).as('low'),
      ]
    })
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accountsWithCredit>['execute']>>[number]

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    kind: row.kind as Account['kind'],
    displayName: row.display_name,
    email: row.email,
    emailVerified: row.email !== null && row.email_verified === 1n,
    subject: row.subject,
    status: row.status as AccountStatus,
    tier: row.tier,
    operator: row.operator === 1n,
    lifetimeTopupPico: toLifetimePico(row),
    baselineModel: row.baseline_model,
    playgroundKeyId: row.playground_key_id,
    logPrompts: row.log_prompts === 1n,
    keysMayTopUp: keysMayTopUp(row),
    logDays: row.log_days === null ? null : Number(row.log_days),
    createdAtMs: Number(row.created_at_ms),
    balancePico: joinSum(row),
    unassignedPico: row.unassigned_pico ?? 0n,
  }
}
