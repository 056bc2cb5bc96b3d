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
  /** Absent: accounts bring no keys of vendors, and these paths are 404. */
  ownKeys?: VendorKeyServices
  /** Absent: nobody is told of events, and their paths are 404. */
  notifications?: NotificationServices
  /** Absent: nobody may keep prompts and answers. */
  promptLog?: PromptLogService | undefined
  prices: PriceService
  upstreams: UpstreamService
  /** Absent: there is no outbox, and its paths are 404. */
  setAside?: SetAsideService
  /** Every model that can be called, as `GET /v1/models` tells a key of this account. */
  models(account: Account): object[]
  /** Who serves a model, as this account finds them, or as anybody does; undefined: there is none. */
  modelOffers: (model: string, accountId?: string) => ModelOffers | undefined
  /** The models that everybody may know of, signed in or not. Absent: these paths are 404. */
  publicModels?: () => object[]
  metrics: Metrics
  /** Absent: nothing is routed, and its path is 404. */
  routing?: RoutingService
  /** Absent: no path of top-ups is there. */
  checkout?: TopupServices
  audit: AuditStore
  idempotency: IdempotencyStore
  /** Whose heartbeats tell that what it claims is under way. Absent: such claims are waited for. */
  nodeId?: string
  /** Absent: every admin path is 404, but for operators with tokens. */
  internalSecret: string | undefined
  /** Without an internal secret, the admin paths are there for operators with tokens. Default: false. */
  operatorsByToken?: boolean
  /** Whose owners are operators, as the configuration lists them. Absent: none. */
  operatorAddresses?: OperatorAddresses
  /**
   * The account of the request's user token, whatever its status; made where the subject is new. Its
   * `operator` also says what the configuration makes of the token. Rejects with 401 where that is missing
   * or does not hold. Absent: every path of users is 404.
   */
  accountOf?: (request: FastifyRequest) => Promise<SignedInAccount>
  /** Where and as whom users sign in. Absent: the path is 404. */
  discovery?: () => Promise<AuthDiscovery>
  /** How programs on devices sign in. Absent: its paths are 404. */
  deviceSignIns?: DeviceSignInServices
  /** Who may call the MCP server. Absent: there is none, and its paths are 404. */
  mcp?: McpServices
  /** What people have allowed at the embedded provider. Absent: its paths are 404. */
  connectedApps?: ConnectedApps
  /** Of the embedded identity provider. Absent: people change their login elsewhere. */
  logins?: LoginServices | undefined
  /** Of the embedded identity provider. Absent: it is another one, and these paths are 404. */
  identityAdministration?: IdentityAdministration
  /** Name of the identity provider, which makes the field `<name>_sub`; `oidc` by default. */
  identityProvider?: string
  /** How many organizations a person may have made; 10 by default. */
  maxOrganizations?: number
  /** Without a slash at the end: where the dashboard is, for links that are sent to people. */
  publicUrl?: () => string
  /** Tier of accounts made without one; `free` by default. */
  defaultTier?: string
  /** Address that a request came from; by default the connection's. */
  callerAddress?: (request: IncomingMessage) => string
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
  /** As `releaseCredit`, of the key and of all that draw on it. */
  releaseShared(keyId: string): Promise<void>
  /** A budget was changed or deleted: every node gives back what it has leased of it and does not hold. */
  releaseBudget(budget: Budget): Promise<void>
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
