import { budgetOfLease } from '@turnpike/billing'
import type { RequestRecord } from '@turnpike/gateway'
import { spendPeriodAt, spendPeriodName, type SpendLimitPeriod } from '@turnpike/protocol'
import { sql, type Kysely } from 'kysely'
import { bulkAdd, bulkUpdate, type BulkColumn, type BulkValue } from '../bulk.ts'
import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { dayPeriod } from '../usage/period.ts'
import { canonicalTags } from '../usage/tag-sets.ts'
import { splitSum } from '../wide-sum.ts'

/**
 * Holds the accounts of a batch still: whoever makes a budget waits until the batch is in, and finds it among
 * what was spent before; or was first, and the batch counts for it. To be called before anything else is
 * locked.
 * @returns those that have, or had, budgets
 */
export async function accountsWithBudgets(
  engine: Engine,
  transaction: Kysely<Schema>,
  records: readonly RequestRecord[],
): Promise<string[]> {
  const accountIds = [...new Set(records.map(({ accountId }) => accountId))].sort()
  const rows = await transaction
    .selectFrom('accounts')
    .select(['id', 'budget_version'])
    .where('id', 'in', accountIds)
    .orderBy('id')
    .$if(engine === 'postgres', (query) => query.forKeyShare())
    .execute()
  return rows.filter((row) => row.budget_version > 0n).map(({ id }) => id)
}

/**
 * Counts newly written requests for every budget that they fall under, as the database knows budgets now; and
 * takes charges off the node's leases that their holds were from, whether those budgets are still there or
 * not.
 * @returns the budgets that counted them
 */
export async function addToBudgets(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  accountIds: readonly string[],
  records: readonly RequestRecord[],
): Promise<string[]> {
  let values: BulkValue[] = []
  if (accountIds.length > 0) {
    const counted = records.filter(
      ({ accountId, outcome }) => outcome !== 'failed' && accountIds.includes(accountId),
    )
    values = totalValues(counted, await rulesOf(transaction, accountIds, counted))
    await bulkAdd(engine, transaction, {
      table: 'budget_totals',
      keys: totalKeys,
      amounts: totalAmounts,
      values,
    })
  }
  await takeOffLeases(engine, transaction, nodeId, records)
  const columns = totalKeys.length + totalAmounts.length
  return [...new Set(values.filter((_, at) => at % columns === 0).map(String))]
}

interface Rule {
  id: string
  period: SpendLimitPeriod
}

/** Under which budgets a request falls. */
interface Rules {
  ofKey: Map<string, Rule[]>
  /** By account, space and tag or model. */
  byTag: Map<string, Rule[]>
  byModel: Map<string, Rule[]>
}

async function rulesOf(
  transaction: Kysely<Schema>,
  accountIds: readonly string[],
  records: readonly RequestRecord[],
): Promise<Rules> {
  const rules: Rules = { ofKey: new Map(), byTag: new Map(), byModel: new Map() }
  const keyIds = [...new Set(records.map(({ keyId }) => keyId))]
  if (keyIds.length === 0) return rules
  // By one statement: a rotation moves a key's line and its budgets together.
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

/** In the order of their keys: no two writers wait for each other. */
function totalValues(records: readonly RequestRecord[], rules: Rules): BulkValue[] {
  const totals = new Map<string, Total>()
  for (const record of records) {
    const { accountId, keyId, tags, modelServed, startedAtMs, chargePico } = record
    const found = [
      rules.ofKey.get(keyId),
      ...(rules.byTag.size === 0
        ? []
        : canonicalTags(tags).map((tag) => rules.byTag.get(`${accountId} ${tag}`))),
      modelServed === null ? undefined : rules.byModel.get(`${accountId} ${modelServed}`),
    ]
    for (const rule of found.flatMap((some) => some ?? []))
      for (const period of periodsOfBudget(rule.period, startedAtMs)) {
        const name = `${rule.id} ${period}`
        const total = totals.get(name) ?? { budgetId: rule.id, period, requests: 0, costPico: 0n }
        total.requests++
        total.costPico += chargePico
        totals.set(name, total)
      }
  }
  return [...totals.keys()].sort().flatMap((name) => {
    const { budgetId, period, requests, costPico } = totals.get(name)!
    const { high, low } = splitSum(costPico)
    return [budgetId, period, requests, high, low]
  })
}

/** In which of a budget's totals what began then counts: its day, and the budget's own period. */
export function periodsOfBudget(kind: SpendLimitPeriod, startedAtMs: number): string[] {
  const day = dayPeriod(startedAtMs)
  return kind === 'day' ? [day] : [day, spendPeriodName(spendPeriodAt(kind, startedAtMs))]
}

const text = (name: string): BulkColumn => ({ name, type: 'text' })
const integer = (name: string): BulkColumn => ({ name, type: 'bigint' })

export const totalKeys = ['budget_id', 'period'].map(text)
export const totalAmounts = ['requests', 'cost_high', 'cost_low'].map(integer)

/** By lease of a budget: what was charged to requests whose holds took from it. */
export function chargesByBudgetLease(records: readonly RequestRecord[]): Map<string, bigint> {
  const chargesPico = new Map<string, bigint>()
  for (const { limits, chargePico } of records)
    if (Array.isArray(limits) && chargePico > 0n)
      for (const leaseId of limits.filter(isLease))
        chargesPico.set(leaseId, (chargesPico.get(leaseId) ?? 0n) + chargePico)
  return chargesPico
}

const leasePattern = /^bud_[0-9a-hjkmnp-tv-z]{26}@(?:[dw]\d{4}-\d\d-\d\d|m\d{4}-\d\d|t)$/

/** What is in an outbox's file may be anything. */
function isLease(leaseId: unknown): boolean {
  return typeof leaseId === 'string' && leasePattern.test(leaseId)
}

const leaseColumns = [text('node_id'), text('budget_id'), text('period'), integer('charge_pico')]

/**
 * Each lease by an expression, since no lock stands between what was read of it and this. What a charge is
 * more than its lease has nobody leased: it is spent all the same.
 */
async function takeOffLeases(
  engine: Engine,
  transaction: Kysely<Schema>,
  nodeId: string,
  records: readonly RequestRecord[],
): Promise<void> {
  const charges = chargesByBudgetLease(records)
  const values = [...charges.keys()].sort().flatMap((leaseId) => {
    const { budgetId, period } = budgetOfLease(leaseId)
    return [nodeId, budgetId, period, charges.get(leaseId)!]
  })
  const lesser = engine === 'sqlite' ? 'min' : 'least'
  await bulkUpdate(engine, transaction, {
    table: 'budget_leases',
    columns: leaseColumns,
    set: `amount_pico = stored.amount_pico - ${lesser}(stored.amount_pico, :charge_pico),
      version = stored.version + 1`,
    where: 'stored.node_id = :node_id AND stored.budget_id = :budget_id AND stored.period = :period',
    values,
  })
}
