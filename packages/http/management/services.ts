import type { IncomingMessage } from 'node:http'
import type {
  BillingDetailsStore,
  Budget,
  BudgetStore,
  LedgerStore,
  PriceHistoryStore,
  VerificationStore,
} from '@turnpike/billing'
import type {
  AttemptStore,
  HealthStore,
  ModelOffers,
  ProviderHealthStore,
  UsageStore,
} from '@turnpike/gateway'
import type {
  Account,
  AccountStore,
  ApiKeyStore,
  AuditStore,
  IdempotencyStore,
  OrganizationStore,
  ProjectStore,
  ConnectedApps,
  OperatorAddresses,
  SignedInAccount,
} from '@turnpike/identity'
import type { AlertStore, DeliveryStore, EventStore, TargetStore } from '@turnpike/notify'
import type { FastifyRequest } from 'fastify'
import type { DeviceSignInServices } from './device-sign-ins/services.ts'
import type { AuthDiscovery } from './discovery/routes.ts'
import type { NotificationServices } from './events/services.ts'
import type { IdentityAdministration } from './identity/routes.ts'
import type { LoginServices } from './logins/services.ts'
import type { McpServices } from './mcp/services.ts'
import type { Metrics } from './metrics/routes.ts'
import type { RoutingService } from './route/routes.ts'
import type { PriceService } from './prices/routes.ts'
import type { SetAsideService } from './set-aside/routes.ts'
import type { PromptLogService } from './prompt-log/service.ts'
import type { TopupServices } from './topups/services.ts'
import type { UpstreamService } from './upstreams/routes.ts'
import type { VendorKeyServices } from './vendor-keys/services.ts'

/** Everything the management API needs; built by the composition root. */
export interface ManagementServices {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  organizations: OrganizationStore
  projects: ProjectStore
  ledger: LedgerStore
  billingDetails: BillingDetailsStore
  budgets: BudgetStore
  usage: UsageStore
  usageHealth: HealthStore
  providerHealth: ProviderHealthStore
  attempts: AttemptStore
  priceHistory: PriceHistoryStore
  verifications: VerificationStore
  events: EventStore
  eventTargets: TargetStore
  deliveries: DeliveryStore
  alerts: AlertStore
  /** Absent: accounts cannot add vendor keys, and these paths are 404. */
  ownKeys?: VendorKeyServices
  /** Absent: no events are sent, and their paths are 404. */
  notifications?: NotificationServices
  /** Absent: prompts and answers cannot be kept. */
  promptLog?: PromptLogService | undefined
  prices: PriceService
  upstreams: UpstreamService
  /** Absent: there is no outbox, and its paths are 404. */
  setAside?: SetAsideService
  /** Every model that can be called, as `GET /v1/models` lists it for a key of this account. */
  models(account: Account): object[]
  /** The providers of a model, for this account or the public; undefined: no such model. */
  modelOffers: (model: string, accountId?: string) => ModelOffers | undefined
  /** The models that everybody may see, signed in or not. Absent: these paths are 404. */
  publicModels?: () => object[]
  metrics: Metrics
  /** Absent: there is no auto-routing, and its path is 404. */
  routing?: RoutingService
  /** Absent: there are no top-ups, and their paths are 404. */
  checkout?: TopupServices
  audit: AuditStore
  idempotency: IdempotencyStore
  /**
   * Identifies this node's claims of idempotency keys, which count as active while its heartbeats arrive.
   * Absent: claims are waited for.
   */
  nodeId?: string
  /** Absent: every admin path is 404, except for operators with tokens. */
  internalSecret: string | undefined
  /** Whether the admin paths exist without an internal secret, for operators with tokens. Default: false. */
  operatorsByToken?: boolean
  /** The operators' addresses that the configuration lists. Absent: none. */
  operatorAddresses?: OperatorAddresses
  /**
   * The account of the request's user token, whatever its status; created if the subject is new. Its
   * `operator` also reflects the configuration. Rejects with 401 if the token is missing or invalid. Absent:
   * every path of users is 404.
   */
  accountOf?: (request: FastifyRequest) => Promise<SignedInAccount>
  /** Where users sign in, and as which client. Absent: the path is 404. */
  discovery?: () => Promise<AuthDiscovery>
  /** How programs on devices sign in. Absent: its paths are 404. */
  deviceSignIns?: DeviceSignInServices
  /** The access rules of the MCP server. Absent: there is none, and its paths are 404. */
  mcp?: McpServices
  /** The apps that people have connected at the embedded provider. Absent: its paths are 404. */
  connectedApps?: ConnectedApps
  /** Only with the embedded identity provider. Absent: people change their login elsewhere. */
  logins?: LoginServices | undefined
  /** Only with the embedded identity provider. Absent: these paths are 404. */
  identityAdministration?: IdentityAdministration
  /** Name of the identity provider, used in the field `<name>_sub`; `oidc` by default. */
  identityProvider?: string
  /** How many organizations a person may create; 10 by default. */
  maxOrganizations?: number
  /** The gateway's address, without a slash at the end, for links to the dashboard in mails. */
  publicUrl?: () => string
  /** Tier of accounts that are created without one; `free` by default. */
  defaultTier?: string
  /** The address that a request came from; by default the connection's. */
  callerAddress?: (request: IncomingMessage) => string
  /** Unix epoch milliseconds. */
  clock(): number
  health(): HealthReport | Promise<HealthReport>
  logger: ManagementLogger

  /** A key was created: the request path may have cached that its hash does not exist. */
  onKeyCreated(keyHash: string): void
  /** A key was revoked or its limits changed: this node must drop what it has cached of it. */
  onKeyChanged(keyId: string): void
  /** An account's status or tier changed: likewise for all its keys. */
  onAccountChanged(accountId: string): void
  /** Returns the credit of a key that this node has leased and does not hold, so that it can be moved. */
  releaseCredit(keyId: string): Promise<void>
  /** As `releaseCredit`, for the key and all keys that draw on it. */
  releaseShared(keyId: string): Promise<void>
  /** A budget was changed or deleted: every node returns what it has leased of it and does not hold. */
  releaseBudget(budget: Budget): Promise<void>
  /** Resolves when all usage of this node is in the database, so that reads include one's writes. */
  flushUsage(): Promise<void>
}

export interface HealthReport {
  status: 'ok' | 'degraded' | 'starting' | 'draining'
  /** One entry per check, such as `database`. Nothing secret: the response is public. */
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
