import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { accountsAndKeys } from './001-accounts-and-keys.ts'
import { requests } from './002-requests.ts'
import { ledger } from './003-ledger.ts'
import { usageTotals } from './004-usage-totals.ts'
import { leaseTerms } from './005-lease-terms.ts'
import { identity } from './006-identity.ts'
import { topups } from './007-topups.ts'
import { auditAndIdempotency } from './008-audit-and-idempotency.ts'
import { autoRouting } from './009-auto-routing.ts'
import { operators } from './010-operators.ts'
import { claimsOfNodes } from './011-claims-of-nodes.ts'
import { vendorCosts } from './012-vendor-costs.ts'
import { verifiedAddresses } from './013-verified-addresses.ts'
import { usageByEndpoint } from './014-usage-by-endpoint.ts'
import { deviceSignIns } from './015-device-sign-ins.ts'
import { unsupportedFields } from './016-unsupported-fields.ts'
import { keptAnswers } from './017-kept-answers.ts'
import { droppedFields } from './018-dropped-fields.ts'
import { keptItems } from './019-kept-items.ts'
import { drawsOn } from './020-draws-on.ts'
import { health } from './021-health.ts'
import { playgroundKeys } from './022-playground-keys.ts'
import { settings } from './023-settings.ts'
import { operations } from './024-operations.ts'
import { promptLogs } from './025-prompt-logs.ts'
import { errorParam } from './026-error-param.ts'
import { organizations } from './027-organizations.ts'
import { budgets } from './028-budgets.ts'
import { events } from './029-events.ts'
import { autoTopups } from './030-auto-topups.ts'
import { claimOrder } from './031-claim-order.ts'
import { ownersAndRemovals } from './032-owners-and-removals.ts'
import { roleRecipients } from './033-role-recipients.ts'
import { mailedCodes } from './034-mailed-codes.ts'
import { vendorKeys } from './035-vendor-keys.ts'
import { usageEntries } from './036-usage-entries.ts'
import { engineWords, type Migration } from './migration.ts'

const migrations: readonly Migration[] = [
  accountsAndKeys,
  requests,
  ledger,
  usageTotals,
  leaseTerms,
  identity,
  topups,
  auditAndIdempotency,
  autoRouting,
  operators,
  claimsOfNodes,
  vendorCosts,
  verifiedAddresses,
  usageByEndpoint,
  deviceSignIns,
  unsupportedFields,
  keptAnswers,
  droppedFields,
  keptItems,
  drawsOn,
  health,
  playgroundKeys,
  settings,
  operations,
  promptLogs,
  errorParam,
  organizations,
  budgets,
  events,
  autoTopups,
  claimOrder,
  ownersAndRemovals,
  roleRecipients,
  mailedCodes,
  vendorKeys,
  usageEntries,
]

/** Any constant works, as long as no other program uses the same advisory lock in this database. */
export const advisoryLockKey = 7_238_417_001

/**
 * Brings the schema up to date with all missing migrations, in one transaction and under a lock. So any
 * number of nodes may start at once, and a failed step leaves nothing half done.
 * @param mayChange false: only checks that the schema is of this version
 * @throws if the database was migrated by a newer version of this program, or needs migrations that
 * `mayChange` forbids
 */
export async function migrate(
  database: Pick<Database, 'engine' | 'write'>,
  mayChange: boolean,
): Promise<void> {
  await database.write.transaction().execute(async (transaction) => {
    if (database.engine === 'postgres')
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(transaction)
    const { text, integer } = engineWords[database.engine]
    if (mayChange)
      await run(
        transaction,
        `CREATE TABLE IF NOT EXISTS schema_migrations (
          number ${integer} NOT NULL PRIMARY KEY, name ${text} NOT NULL, applied_at_ms ${integer} NOT NULL)`,
      )
    const rows = await transaction.selectFrom('schema_migrations').select(['number', 'name']).execute()
    const applied = new Set(rows.map((row) => Number(row.number)))
    const unknown = rows.find((row) => migrations.every(({ number }) => number !== Number(row.number)))
    if (unknown !== undefined)
      throw new Error(`The database was migrated by a newer version of Turnpike: it has "${unknown.name}"`)
    for (const migration of migrations) {
      if (applied.has(migration.number)) continue
      if (!mayChange)
        throw new Error(
          `The database was created by an older version of Turnpike: it lacks "${migration.name}"`,
        )
      await apply(database, transaction, migration)
    }
  })
}

async function apply(
  database: Pick<Database, 'engine'>,
  transaction: Connection,
  migration: Migration,
): Promise<void> {
  for (const statement of migration.statements(engineWords[database.engine]))
    await run(transaction, statement)
  await migration.rewrite?.(transaction)
  await transaction
    .insertInto('schema_migrations')
    .values({ number: migration.number, name: migration.name, applied_at_ms: Date.now() })
    .execute()
}

async function run(transaction: Connection, statement: string): Promise<void> {
  await sql.raw(statement).execute(transaction)
}
