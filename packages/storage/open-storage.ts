import type {
  AutoTopupStore,
  BillingDetailsStore,
  BudgetStore,
  LeaseStore,
  LedgerStore,
  PriceHistoryStore,
  TopupStore,
  VerificationStore,
} from '@turnpike/billing'
import type {
  AttemptStore,
  HealthStore,
  KeptAnswerStore,
  PromptLogStore,
  ProviderHealthStore,
  RequestStore,
  UsageStore,
} from '@turnpike/gateway'
import type {
  AccountStore,
  ApiKeyStore,
  AuditStore,
  DeviceSignInStore,
  EmbeddedProviderStores,
  IdempotencyStore,
  OrganizationStore,
  ProjectStore,
  VendorKeyStore,
} from '@turnpike/identity'
import type { AlertStore, DeliveryStore, EventStore, TargetStore } from '@turnpike/notify'
import { accountStore } from './accounts/accounts.ts'
import { apiKeyStore } from './keys/api-keys.ts'
import { attemptStore } from './attempts/attempts.ts'
import { auditStore } from './audit/audit.ts'
import { autoTopupStore } from './auto-topups/auto-topups.ts'
import { billingDetailsStore } from './billing-details/billing-details.ts'
import { budgetStore } from './budgets/budgets.ts'
import { ChangedIds } from './database/changed-ids.ts'
import { budgetLeaseStore } from './budgets/leases.ts'
import type { Database } from './database/database.ts'
import { deviceSignInStore } from './device-sign-ins/device-sign-ins.ts'
import { alertStore } from './events/alerts.ts'
import { deliveryStore } from './events/deliveries.ts'
import { eventStore } from './events/events.ts'
import { targetStore } from './events/targets.ts'
import { healthStore } from './health/health.ts'
import { providerHealthStore } from './health/provider-health.ts'
import { identityStores } from './identity/identity.ts'
import { idempotencyStore } from './idempotency/idempotency.ts'
import { RetriedWrites } from './idempotency/retried-writes.ts'
import { installationSecrets, type InstallationSecrets } from './installation-secrets.ts'
import { keptAnswerStore } from './kept-answers/kept-answers.ts'
import { leaseStore } from './leases/leases.ts'
import { ledgerStore } from './ledger/ledger.ts'
import type { Recompute } from './ledger/verify.ts'
import { verificationStore } from './ledger/verifications.ts'
import { migrate } from './migrations/migrate.ts'
import { publish, type Notice, type NoticeListener } from './notices.ts'
import { organizationStore } from './organizations/organizations.ts'
import { projectStore } from './organizations/projects.ts'
import type { PostgresOptions } from './postgres/open.ts'
import { priceHistoryStore } from './prices/price-history.ts'
import { promptLogStore } from './prompt-logs/prompt-logs.ts'
import { requestStore } from './requests/requests.ts'
import { retentionStore, type RetentionStore } from './retention/retention.ts'
import { openSqlite, type SqliteOptions } from './sqlite/open.ts'
import { topupStore } from './topups/topups.ts'
import { withUnreachableErrors } from './database/unreachable.ts'
import { usageStore } from './usage/usage.ts'
import { vendorKeyStore } from './vendor-keys/vendor-keys.ts'

export type DatabaseOptions = SqliteOptions | PostgresOptions

export interface StorageOptions {
  /** How `ledger.verify` recomputes a charge. If absent, charges are only compared with the ledger. */
  recompute?: Recompute
  /** If true, opens only a database whose schema is up to date, and changes no schema. */
  asItIs?: boolean
}

export interface Storage {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  ledger: LedgerStore
  leases: LeaseStore
  budgets: BudgetStore
  budgetLeases: LeaseStore
  requests: RequestStore
  usage: UsageStore
  usageHealth: HealthStore
  providerHealth: ProviderHealthStore
  attempts: AttemptStore
  priceHistory: PriceHistoryStore
  verifications: VerificationStore
  retention: RetentionStore
  audit: AuditStore
  idempotency: IdempotencyStore
  topups: TopupStore
  autoTopups: AutoTopupStore
  secrets: InstallationSecrets
  billingDetails: BillingDetailsStore
  identity: EmbeddedProviderStores
  signIns: DeviceSignInStore
  organizations: OrganizationStore
  projects: ProjectStore
  keptAnswers: KeptAnswerStore
  promptLogs: PromptLogStore
  events: EventStore
  eventTargets: TargetStore
  deliveries: DeliveryStore
  alerts: AlertStore
  vendorKeys: VendorKeyStore
  /** Receives notices of all nodes; a node also receives its own. */
  listen(onNotice: (notice: Notice) => void, onError: (error: Error) => void): Promise<NoticeListener>
  /** Sends a notice that belongs to no transaction to all nodes. */
  announce(notice: Notice): Promise<void>
  /** Rejects if the database cannot be reached. */
  ping(): Promise<void>
  /** Waits for pending work, then closes the database. */
  close(): Promise<void>
}

/** Opens the database, brings its schema up to date, and returns all stores. */
export async function openStorage(options: DatabaseOptions, settings: StorageOptions = {}): Promise<Storage> {
  const database = await openDatabase(options)
  try {
    await bringUpToDate(database, options, settings.asItIs !== true)
  } catch (error) {
    await database.close()
    throw error
  }
  const retriedWrites = new RetriedWrites()
  const leases = withUnreachableErrors(leaseStore(database))
  const [changedBudgets, takenCredit] = [new ChangedIds(), new ChangedIds()]
  return {
    accounts: withUnreachableErrors(accountStore(database, takenCredit)),
    apiKeys: withUnreachableErrors(apiKeyStore(database, takenCredit)),
    ledger: withUnreachableErrors(ledgerStore(database, settings.recompute, takenCredit)),
    leases,
    budgets: withUnreachableErrors(budgetStore(database, changedBudgets)),
    budgetLeases: withUnreachableErrors(budgetLeaseStore(database, leases)),
    requests: withUnreachableErrors(requestStore(database, { budgets: changedBudgets, credit: takenCredit })),
    usage: withUnreachableErrors(usageStore(database)),
    usageHealth: withUnreachableErrors(healthStore(database)),
    providerHealth: withUnreachableErrors(providerHealthStore(database)),
    attempts: withUnreachableErrors(attemptStore(database)),
    priceHistory: withUnreachableErrors(priceHistoryStore(database)),
    verifications: withUnreachableErrors(verificationStore(database)),
    retention: retentionStore(database),
    audit: withUnreachableErrors(auditStore(database)),
    idempotency: withUnreachableErrors(idempotencyStore(database, retriedWrites)),
    autoTopups: withUnreachableErrors(autoTopupStore(database, takenCredit)),
    secrets: withUnreachableErrors(installationSecrets(database)),
    topups: withUnreachableErrors(topupStore(database)),
    billingDetails: withUnreachableErrors(billingDetailsStore(database)),
    identity: identityStores(database),
    signIns: withUnreachableErrors(deviceSignInStore(database)),
    organizations: withUnreachableErrors(organizationStore(database)),
    projects: withUnreachableErrors(projectStore(database)),
    keptAnswers: withUnreachableErrors(keptAnswerStore(database)),
    promptLogs: withUnreachableErrors(promptLogStore(database)),
    events: withUnreachableErrors(eventStore(database)),
    eventTargets: withUnreachableErrors(targetStore(database)),
    deliveries: withUnreachableErrors(deliveryStore(database)),
    alerts: withUnreachableErrors(alertStore(database, changedBudgets)),
    vendorKeys: withUnreachableErrors(vendorKeyStore(database)),
    listen: (onNotice, onError) => database.listen(onNotice, onError),
    announce: (notice) => publish(database.write, notice),
    async ping() {
      await database.write.selectFrom('schema_migrations').select('number').limit(1).execute()
    },
    async close() {
      await retriedWrites.close()
      await database.close()
    },
  }
}

async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.engine === 'sqlite') return openSqlite(options)
  return (await import('./postgres/open.ts')).openPostgres(options)
}

/** PostgreSQL gets a connection without timeouts, since a migration, or waiting for one, may take long. */
async function bringUpToDate(
  database: Database,
  options: DatabaseOptions,
  mayChange: boolean,
): Promise<void> {
  if (options.engine === 'sqlite') return migrate(database, mayChange)
  const patient = await openDatabase({ ...options, poolSize: 1, patient: true })
  try {
    await migrate(patient, mayChange)
  } finally {
    await patient.close()
  }
}
