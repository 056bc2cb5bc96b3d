import type {
  Budget,
  BudgetChanges,
  BudgetDay,
  BudgetRefusal,
  BudgetScope,
  BudgetSpent,
  BudgetStore,
  NewBudget,
} from '@turnpike/billing'
import { newIdentifier, spendPeriodAt, spendPeriodName, type SpendLimitPeriod } from '@turnpike/protocol'
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import { olderNodesRun } from '../leases/nodes.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { dayPeriod } from '../usage/period.ts'
import { joinSum } from '../database/wide-sum.ts'
import type { ChangedIds } from '../database/changed-ids.ts'
import { countBefore } from './count-before.ts'
import { usageByDay } from './usage-of.ts'
import type { BudgetTable } from './tables.ts'

/** Budgets of one account, not counting deleted ones. */
const mostBudgets = 500

/** @param noted collects budgets that were created or changed */
export function budgetStore(database: Database, noted: ChangedIds): BudgetStore {
  const note = <Result extends { budget: Budget } | BudgetRefusal | undefined>(result: Result): Result => {
    if (result !== undefined && 'budget' in result) noted.note([result.budget.id])
    return result
  }
  return {
    create: (budget, nowMs) =>
      inTransaction(database, (transaction) => create(transaction, budget, nowMs)).then(note),
    find: (accountId, budgetId, memberId) => find(database.write, accountId, budgetId, memberId),
    async list(accountId, { limit, cursor }, memberId) {
      const cursors = cursorsOf(`budgets:${accountId}`, ['text'])
      const rows = await database.read
        .selectFrom('budgets')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('deleted_at_ms', 'is', null)
        .where(isOnMember(accountId, memberId))
        .$if(cursor !== undefined, (query) => query.where('id', '>', cursors.decode(cursor!)[0]))
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toBudget), limit, cursors, (row) => [row.id])
    },
    update: (accountId, budgetId, changes, nowMs) =>
      inTransaction(database, (transaction) =>
        update(transaction, { accountId, budgetId }, changes, nowMs),
      ).then(note),
    remove: (accountId, budgetId, nowMs) =>
      inTransaction(database, async (transaction) => {
        const budget = await findToChange(transaction, accountId, budgetId)
        if (budget === undefined) return undefined
        await transaction
          .updateTable('budgets')
          .set({ deleted_at_ms: nowMs, updated_at_ms: nowMs })
          .where('id', '=', budgetId)
          .execute()
        return budget
      }),
    findSpent: (budgets, atMs) => spent(database.write, budgets, atMs),
    async days(budget, fromMs, toMs) {
      const days = await daysOf(database.write, budget.id, fromMs, toMs)
      const usage = await usageByDay(database.write, budget, fromMs, toMs)
      return { days, usagePico: usage.reduce((sum, { spentPico }) => sum + spentPico, 0n) }
    },
  }
}

/**
 * Locks the account's row against concurrent charges: those that came first are counted here as already
 * spent; those that wait find the budget and count themselves.
 */
async function create(
  transaction: Connection,
  budget: NewBudget,
  nowMs: number,
): Promise<{ budget: Budget } | BudgetRefusal> {
  const { accountId } = budget
  const account = await transaction
    .selectFrom('accounts')
    .select('created_at_ms')
    .where('id', '=', accountId)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  if (await olderNodesRun(transaction)) return { refused: 'older-nodes' }
  const subject = await resolveSubject(transaction, budget)
  if (subject === undefined) return { refused: 'unknown-subject' }
  const made = { ...budget, subject, id: newIdentifier('bud', nowMs), createdAtMs: nowMs, updatedAtMs: nowMs }
  const refused = (await sameAs(transaction, made)) ?? (await tooMany(transaction, accountId))
  if (refused !== undefined) return refused
  await transaction
    .insertInto('budgets')
    .values({
      id: made.id,
      account_id: accountId,
      scope: made.scope,
      subject,
      period: made.period,
      name: made.name,
      limit_pico: made.limitPico,
      is_hard: Number(made.isHard),
      notify: JSON.stringify(made.notifyPercents),
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      deleted_at_ms: null,
    })
    .execute()
  await countBefore(transaction, made, Number(account.created_at_ms))
  await announceChange(transaction, accountId, made.id)
  return { budget: made }
}

/**
 * A key, member or project of this account. For a rotated key, the key that replaced it. Tags and models may
 * be any name that requests could use.
 */
async function resolveSubject(
  transaction: Connection,
  { accountId, scope, subject }: NewBudget,
): Promise<string | undefined> {
  switch (scope) {
    case 'key': {
      const key = await transaction
        .selectFrom('api_keys')
        .select(sql<string>`coalesce(replaced_by, id)`.as('head'))
        .where('account_id', '=', accountId)
        .where('id', '=', subject)
        .where('purpose', 'is', null)
        .executeTakeFirst()
      return key?.head
    }
    case 'member': {
      const member = await transaction
        .selectFrom('memberships')
        .select('id')
        .where('organization_id', '=', accountId)
        .where('id', '=', subject)
        .executeTakeFirst()
      return member?.id
    }
    case 'project': {
      const project = await transaction
        .selectFrom('projects')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '=', subject)
        .executeTakeFirst()
      return project?.id
    }
    case 'organization':
      return ''
    default:
      return subject
  }
}

async function sameAs(
  transaction: Connection,
  { id, accountId, scope, subject, period, isHard }: Budget,
): Promise<BudgetRefusal | undefined> {
  const other = await transaction
    .selectFrom('budgets')
    .select('id')
    .where('account_id', '=', accountId)
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .where('period', '=', period)
    .where('is_hard', '=', BigInt(isHard))
    .where('deleted_at_ms', 'is', null)
    .where('id', '<>', id)
    .executeTakeFirst()
  return other === undefined ? undefined : { refused: 'exists', budgetId: other.id }
}

async function tooMany(transaction: Connection, accountId: string): Promise<BudgetRefusal | undefined> {
  const { count } = await transaction
    .selectFrom('budgets')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return count < BigInt(mostBudgets) ? undefined : { refused: 'too-many', most: mostBudgets }
}

async function update(
  transaction: Connection,
  { accountId, budgetId }: { accountId: string; budgetId: string },
  changes: BudgetChanges,
  nowMs: number,
): Promise<{ budget: Budget } | BudgetRefusal | undefined> {
  const before = await findToChange(transaction, accountId, budgetId)
  if (before === undefined) return undefined
  const refused = await sameAs(transaction, { ...before, ...changes })
  if (refused !== undefined) return refused
  await transaction
    .updateTable('budgets')
    .set({ ...columnsOf(changes), updated_at_ms: nowMs })
    .where('id', '=', budgetId)
    .execute()
  return { budget: (await find(transaction, accountId, budgetId))! }
}

/** The columns for the given fields only. */
function columnsOf({ name, limitPico, isHard, notifyPercents }: BudgetChanges) {
  return {
    ...(name !== undefined && { name }),
    ...(limitPico !== undefined && { limit_pico: limitPico }),
    ...(isHard !== undefined && { is_hard: Number(isHard) }),
    ...(notifyPercents !== undefined && { notify: JSON.stringify(notifyPercents) }),
  }
}

/**
 * Reads the budget once nobody else can change it. `announceChange` locks the account's row; whoever held
 * that lock before may have deleted the budget.
 */
async function findToChange(
  transaction: Connection,
  accountId: string,
  budgetId: string,
): Promise<Budget | undefined> {
  if ((await find(transaction, accountId, budgetId)) === undefined) return undefined
  await announceChange(transaction, accountId, budgetId)
  return find(transaction, accountId, budgetId)
}

/**
 * Makes every node reload the account's budgets and return its leases of this one. Called in the transaction
 * of a change, before the budget's own row is locked.
 */
async function announceChange(transaction: Connection, accountId: string, budgetId: string): Promise<void> {
  await raiseVersion(transaction, accountId)
  await publish(transaction, { about: 'account', accountId })
  await publish(transaction, { about: 'budget', budgetId })
}

async function raiseVersion(transaction: Connection, accountId: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((expression) => ({ budget_version: expression('budget_version', '+', 1n) }))
    .where('id', '=', accountId)
    .execute()
}

/** Moves the budgets of a rotated key to its replacement, in the transaction of the rotation. */
export async function followRotation(
  transaction: Connection,
  { accountId, keyId, newKeyId }: { accountId: string; keyId: string; newKeyId: string },
): Promise<void> {
  const moved = await transaction
    .updateTable('budgets')
    .set({ subject: newKeyId })
    .where('account_id', '=', accountId)
    .where('scope', '=', 'key')
    .where('subject', '=', keyId)
    .returning('id')
    .execute()
  if (moved.length > 0) await raiseVersion(transaction, accountId)
}

async function find(
  connection: Connection,
  accountId: string,
  budgetId: string,
  memberId?: string,
): Promise<Budget | undefined> {
  const row = await connection
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', budgetId)
    .where(isOnMember(accountId, memberId))
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : toBudget(row)
}

/** Whether a budget is on the member or on one of the member's keys. Without a member, true. */
function isOnMember(accountId: string, memberId: string | undefined): RawBuilder<SqlBool> {
  if (memberId === undefined) return sql`1 = 1`
  return sql`((scope = 'member' and subject = ${memberId}) or (scope = 'key' and subject in
    (select id from api_keys where account_id = ${accountId} and member_id = ${memberId})))`
}

export function toBudget(row: Selectable<BudgetTable>): Budget {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    scope: row.scope as BudgetScope,
    subject: row.subject,
    period: row.period as SpendLimitPeriod,
    limitPico: row.limit_pico,
    isHard: row.is_hard === 1n,
    notifyPercents: JSON.parse(row.notify) as number[],
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  }
}

async function spent(
  connection: Connection,
  budgets: readonly Budget[],
  atMs: number,
): Promise<Map<string, BudgetSpent>> {
  const found = new Map<string, BudgetSpent>(
    budgets.map(({ id }) => [id, { spentPico: 0n, reservedPico: 0n }]),
  )
  if (budgets.length === 0) return found
  const ids = [...found.keys()]
  const periods = new Map(budgets.map(({ id, period }) => [id, spendPeriodName(spendPeriodAt(period, atMs))]))
  const names = [...new Set(periods.values())]
  const totals = await connection
    .selectFrom('budget_totals')
    .select(['budget_id', 'period', 'cost_high as high', 'cost_low as low'])
    .where('budget_id', 'in', ids)
    .where('period', 'in', names)
    .execute()
  for (const row of totals)
    if (periods.get(row.budget_id) === row.period) found.get(row.budget_id)!.spentPico = joinSum(row)
  const leases = await connection
    .selectFrom('budget_leases')
    .select(['budget_id', 'period', 'amount_pico'])
    .where('budget_id', 'in', ids)
    .where('period', 'in', names)
    .execute()
  for (const row of leases)
    if (periods.get(row.budget_id) === row.period) found.get(row.budget_id)!.reservedPico += row.amount_pico
  return found
}

async function daysOf(
  connection: Connection,
  budgetId: string,
  fromMs: number,
  toMs: number,
): Promise<BudgetDay[]> {
  const rows = await connection
    .selectFrom('budget_totals')
    .select(['period', 'requests', 'cost_high as high', 'cost_low as low'])
    .where('budget_id', '=', budgetId)
    .where('period', '>=', dayPeriod(fromMs))
    .where('period', '<=', dayPeriod(toMs - 1))
    .orderBy('period')
    .execute()
  return rows.map((row) => ({
    day: row.period.slice(1),
    requests: Number(row.requests),
    spentPico: joinSum(row),
  }))
}
