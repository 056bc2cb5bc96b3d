import type { LedgerStore } from '@turnpike/billing'
import type { UsageStore } from '@turnpike/gateway'
import type { AccountStore, ApiKeyStore } from '@turnpike/identity'
import type { IdempotencyStore } from './idempotency/idempotency-store.ts'
import type { Metrics } from './metrics/routes.ts'
import type { PriceService } from './prices/routes.ts'

/** Everything the management API needs; built by the composition root. */
export interface ManagementServices {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  ledger: LedgerStore
  usage: UsageStore
  prices: PriceService
  metrics: Metrics
  /** Absent: a store in memory, which forgets at a restart. */
  idempotency?: IdempotencyStore
  /** Absent: every admin path is 404. */
  internalSecret: string | undefined
  /** Name of the identity provider, which makes the field `<name>_sub`; `oidc` by default. */
  identityProvider?: string
  /** Tier of accounts made without one; `free` by default. */
  defaultTier?: string
  /** Unix epoch milliseconds. */
  clock(): number
  health(): HealthReport | Promise<HealthReport>
  logger: ManagementLogger

  /** A key was made: the request path may have noted that its hash does not exist. */
  onKeyCreated(keyHash: string): void
  /** A key was revoked or its limits changed: this node must not go on with what it remembers of it. */
  onKeyChanged(keyId: string): void
  /** An account's status or tier changed: the same for all its keys. */
  onAccountChanged(accountId: string): void
  /** Gives back what this node has leased of a key's credit and does not hold, so that it can be moved. */
  releaseCredit(keyId: string): Promise<void>
  /** Resolves when all that this node has metered is in the database: reads then see one's own writes. */
  flushUsage(): Promise<void>
}

export interface HealthReport {
  status: 'ok' | 'degraded' | 'starting' | 'draining'
  /** One entry a thing that was looked at, as in `database`. Nothing secret: the answer is open. */
  checks: Record<string, HealthCheck>
}

export interface HealthCheck {
  status: 'ok' | 'degraded' | 'failed'
  message?: string
}

/** The part of pino's logger that is used here. */
export interface ManagementLogger {
  error(fields: Record<string, unknown>, message: string): void
}
