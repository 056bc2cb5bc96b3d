import type { LineRecord } from '@turnpike/gateway/record-line'
import { spendPeriodAt, spendPeriodName, type SpendLimitPeriod } from '@turnpike/protocol'
import { sql } from 'kysely'
import { bulkAdd, type BulkColumn } from '../database/bulk.ts'
import { engineOf } from '../database/engine.ts'
import { chargeOf, type RequestGroup } from '../requests/request-groups.ts'
import type { Connection } from '../schema.ts'
import { dayPeriod, hourMs } from '../usage/period.ts'
import { canonicalTags } from '../usage/tag-sets.ts'
import { splitSum } from '../database/wide-sum.ts'

/**
 * Locks the accounts of a batch: a new budget either waits until the batch is committed and counts it as
 * already spent, or comes first, and then the batch counts itself. Call this before any other lock.
 * @returns the accounts that have, or ever had, budgets
 */
export async function accountsWithBudgets(
  transaction: Connection,
  records: readonly LineRecord[],
): Promise<string[]> {
  const accountIds = [...new Set(records.map(({ accountId }) => accountId))].sort()
  const rows = await transaction
    .selectFrom('accounts')
    .select(['id', 'budget_version'])
    .where('id', 'in', accountIds)
    .orderBy('id')
    .$if(engineOf(transaction) === 'postgres', (query) => query.forKeyShare())
    .execute()
  return rows.filter((row) => row.budget_version > 0n).map(({ id }) => id)
}

/**
 * Adds newly written requests to every budget that covers them, by the budgets' current state in the
 * database.
 * @returns the budgets that were added to
 */
export async function addToBudgets(
  transaction: Connection,
  accountIds: readonly string[],
  groups: readonly RequestGroup[],
): Promise<string[]> {
  if (accountIds.length === 0) return []
  const counted = groups.filter(
    ({ sample }) => sample.outcome !== 'failed' && accountIds.includes(sample.accountId),
  )
  const totals = totalsOf(counted, await rulesOf(transaction, accountIds, counted))
  await bulkAdd(transaction, {
    table: 'budget_totals',
    keys: totalKeys,
    amounts: totalAmounts,
    values: totals.flatMap(({ budgetId, period, requests, costPico }) => {
      const { high, low } = splitSum(costPico)
      return [budgetId, period, requests, high, low]
    }),
  })
  return [...new Set(totals.map(({ budgetId }) => budgetId))]
}

interface Rule {
  id: string
  period: SpendLimitPeriod
}

/** The budgets that may cover a request. */
interface Rules {
  ofKey: Map<string, Rule[]>
  /** By account, period kind and tag or model. */
  byTag: Map<string, Rule[]>
  byModel: Map<string, Rule[]>
}

async function rulesOf(
  transaction: Connection,
  accountIds: readonly string[],
  groups: readonly RequestGroup[],
): Promise<Rules> {
  const rules: Rules = { ofKey: new Map(), byTag: new Map(), byModel: new Map() }
  const keyIds = [...new Set(groups.map(({ sample }) => sample.keyId))]
  if (keyIds.length === 0) return rules
  // In one statement, because a rotation moves a key's line and its budgets together.
  const ofKeys = await transaction
    .selectFrom('api_keys')
    .innerJoin('budgets', 'budgets.account_id', 'api_keys.account_id')
    .select(['api_keys.id as key_id', 'budgets.id', 'budgets.period'])
    .where('api_keys.id', 'in', keyIds)
    .where('budgets.deleted_at_ms', 'is', null)
    .where(
      sql<boolean>`CASE budgets.scope WHEN 'organization' THEN 1 = 1
        WHEN 'key' THEN budgets.subject = coalesce(api_keys.replaced_by, api_keys.id)
        WHEN 'member' THEN budgets.subject = api_keys.member_id
        WHEN 'project' THEN budgets.subject = api_keys.project_id ELSE 1 = 0 END`,
    )
    .execute()
  for (const { key_id: keyId, id, period } of ofKeys) add(rules.ofKey, keyId, id, period)
  const others = await transaction
    .selectFrom('budgets')
    .select(['id', 'account_id', 'scope', 'subject', 'period'])
    .where('account_id', 'in', accountIds)
    .where('scope', 'in', ['tag', 'model'])
    .where('deleted_at_ms', 'is', null)
    .execute()
  for (const { id, account_id: accountId, scope, subject, period } of others)
    add(scope === 'tag' ? rules.byTag : rules.byModel, `${accountId} ${subject}`, id, period)
  return rules
}

function add(map: Map<string, Rule[]>, name: string, id: string, period: string): void {
  const rule = { id, period: period as SpendLimitPeriod }
  const there = map.get(name)
  if (there === undefined) map.set(name, [rule])
  else there.push(rule)
}

interface Total {
  budgetId: string
  period: string
  requests: number
  costPico: bigint
}

/** In the order of their keys, so that no two writers deadlock. */
function totalsOf(groups: readonly RequestGroup[], rules: Rules): Total[] {
  const totals = new Map<string, Total>()
  for (const group of groups) {
    const costPico = chargeOf(group)
    for (const { id: budgetId, period: kind } of rulesFor(group, rules))
      for (const period of periodsOfBudget(kind, group.hour * hourMs)) {
        const name = `${budgetId} ${period}`
        let total = totals.get(name)
        if (total === undefined) {
          total = { budgetId, period, requests: 0, costPico: 0n }
          totals.set(name, total)
        }
        total.requests += group.records.length
        total.costPico += costPico
      }
  }
  return [...totals.keys()].sort().map((name) => totals.get(name)!)
}

function rulesFor({ sample }: RequestGroup, { ofKey, byTag, byModel }: Rules): Rule[] {
  const { accountId, keyId, tags, modelServed } = sample
  const found = [ofKey.get(keyId)]
  if (byTag.size > 0) for (const tag of canonicalTags(tags)) found.push(byTag.get(`${accountId} ${tag}`))
  if (modelServed !== null) found.push(byModel.get(`${accountId} ${modelServed}`))
  return found.flatMap((some) => some ?? [])
}

/** The periods in whose totals a request of that start time counts: its day, and the budget's own. */
export function periodsOfBudget(kind: SpendLimitPeriod, startedAtMs: number): string[] {
  const day = dayPeriod(startedAtMs)
  return kind === 'day' ? [day] : [day, spendPeriodName(spendPeriodAt(kind, startedAtMs))]
}

const text = (name: string): BulkColumn => ({ name, type: 'text' })
const integer = (name: string): BulkColumn => ({ name, type: 'bigint' })

export const totalKeys = ['budget_id', 'period'].map(text)
export const totalAmounts = ['requests', 'cost_high', 'cost_low'].map(integer)
