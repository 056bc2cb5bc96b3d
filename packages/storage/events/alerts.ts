import { alertKinds, checkEveryMs, type AlertKind, type AlertRule, type AlertStore } from '@turnpike/notify'
import type { ChangedIds } from '../database/changed-ids.ts'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { BudgetAlerts } from './budget-alerts.ts'
import { checkRule } from './check-rule.ts'
import { totalCredit } from './figures.ts'
import type { AlertRow } from './tables.ts'

export function alertStore(database: Database, changed: ChangedIds): AlertStore {
  const budgets = new BudgetAlerts(database, changed)
  return {
    async list(accountId) {
      const rows = await database.write
        .selectFrom('alert_rules')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute()
      return rows.map(toRule)
    },
    async set(accountId, { kind, enabled, thresholdPico, days }, nowMs) {
      const values = {
        enabled: enabled ? 1 : 0,
        threshold_pico: thresholdPico,
        days,
        state: 'armed',
        next_check_ms: nowMs,
        updated_at_ms: nowMs,
      }
      await database.write
        .insertInto('alert_rules')
        .values({ account_id: accountId, kind, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(values))
        .execute()
    },
    async checkDue(limit, nowMs) {
      const rows = await inTransaction(database, (transaction) => claimDue(transaction, limit, nowMs))
      if (rows.length === 0) return 0
      const accountIds = [...new Set(rows.map((row) => row.account_id))]
      const credit = await totalCredit(database.write, accountIds)
      const failures: unknown[] = []
      for (const row of rows)
        await checkRule(database, row, credit.get(row.account_id) ?? 0n, nowMs).catch((error: unknown) =>
          failures.push(error),
        )
      if (failures.length > 0) throw failures[0]
      return rows.length
    },
    budgetRefused: (budgetId, neededPico, nowMs) => budgets.raiseRefusal(budgetId, neededPico, nowMs),
    checkBudgets: (nowMs) => budgets.check(nowMs),
  }
}

/** Accounts that are not active get no alerts. */
async function claimDue(transaction: Connection, limit: number, nowMs: number): Promise<AlertRow[]> {
  const rows = await transaction
    .selectFrom('alert_rules')
    .selectAll()
    .where('enabled', '=', 1n)
    .where('next_check_ms', '<=', BigInt(nowMs))
    .where('account_id', 'in', (accounts) =>
      accounts.selectFrom('accounts').select('accounts.id').where('status', '=', 'active'),
    )
    .orderBy('next_check_ms')
    .limit(limit)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  for (const kind of alertKinds) {
    const accountIds = rows.filter((row) => row.kind === kind).map((row) => row.account_id)
    if (accountIds.length === 0) continue
    await transaction
      .updateTable('alert_rules')
      .set({ next_check_ms: nowMs + checkEveryMs[kind] })
      .where('kind', '=', kind)
      .where('account_id', 'in', accountIds)
      .execute()
  }
  return rows
}

function toRule(row: AlertRow): AlertRule {
  return {
    kind: row.kind as AlertKind,
    enabled: row.enabled === 1n,
    thresholdPico: row.threshold_pico,
    days: row.days === null ? null : Number(row.days),
    isRaised: row.state === 'raised',
  }
}
