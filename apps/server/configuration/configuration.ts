import type { FormatName } from '@turnpike/dialects'
import type { CalibrationMode, ConfiguredTiers, OwnPattern, UpstreamOrder } from '@turnpike/gateway'
import type { RoleMapping } from '@turnpike/identity'
import type { RateLimits, Tier } from '@turnpike/limits'
import type { Operation, Pricing } from '@turnpike/protocol'
import type { BreakerRules, Profile } from '@turnpike/routing'
import type { ModelUpstream, Provider } from '@turnpike/vendors'

/** The server's resolved configuration: defaults filled in, times in milliseconds, money in pico-USD. */
export interface Configuration {
  /** The file it was read from; null if there is none. */
  file: string | null
  server: {
    host: string
    port: number
    /** Without a trailing slash. */
    publicUrl: string
    /** Further hosts that callers may use, such as `gateway` (any port) or `gateway:8787`. */
    allowedHosts: string[]
    /** Whether it listens on all addresses of the machine and no public URL is configured. */
    atAnyAddress: boolean
    /** Addresses and CIDR ranges. */
    trustedProxies: string[]
    maxBodyBytes: number
    maxHeaderBytes: number
    /** Time allowed for receiving a body, besides the time that its size allows. */
    bodyMs: number
    drainMs: number
    /** How long new requests are still accepted before the drain begins. */
    drainDelayMs: number
    /** Whether connections of long streams are detached from Node's HTTP server. */
    detachesStreams: boolean
    /** Number of worker processes. */
    workers: number
  }
  /** Origins of web pages that may call `/v1/*`, as browsers send them; `*` allows all. */
  cors: { allowedOrigins: string[] }
  /** Whether everybody can see the models and their prices, without signing in. */
  dashboard: { publicModels: boolean }
  overload: {
    maxRequests: number
    maxBodiesBytes: number
    maxEventLoopDelayMs: number
    maxUpstreamConnections: number
    maxUpstreamWaiting: number
  }
  /** Absolute path. */
  dataDir: string
  /** The number of this process among `server.workers`, from 1; absent if it is the only one. */
  worker?: number
  /** Socket of the process that has the embedded database for all workers; absent if this process has it. */
  databaseSocket?: string
  /** Null: embedded SQLite in `dataDir`. */
  databaseUrl: string | null
  /** Where nodes count limits together; null: each node counts for itself. */
  redis: { url: string; timeoutMs: number } | null
  providers: Provider[]
  models: ModelOverride[]
  prices: {
    /** Absolute path; null: `prices.json` in `dataDir`, if it exists. */
    file: string | null
    /** Where newer prices are downloaded from; null: prices are not downloaded. */
    url: string | null
    refreshMs: number
  }
  billing: {
    /** Decimal string. */
    markup: string
    topup: { minPico: bigint; maxPico: bigint }
    leaseMs: number
    durability: 'process' | 'power'
    /** How long an answer with unseen reasoning is read after its client has left; 0: not at all. */
    readOnMs: number
    /** Interval between automatic verifications of the ledger; 0: never. */
    verifyEveryMs: number
  }
  /** Vendor keys that accounts bring themselves; null: the feature is off. */
  byok: {
    /** 32 bytes each. The first one seals; the others only open. */
    encryptionKeys: Buffer[]
    /** Share of the list price that is charged, as a decimal string. */
    fee: string
    /** Names of the providers that accept accounts' own keys. */
    providers: string[]
  } | null
  routing: {
    order: UpstreamOrder
    /** Null: no upstream is ever put in cooldown. */
    breaker: BreakerRules | null
    auto: {
      tiers: ConfiguredTiers
      /** By profile, from 0 to 1. */
      deltas: Record<Profile, number>
      /** The model that savings are compared with; null: the most expensive candidate. */
      baselineModel: string | null
      calibration: CalibrationMode
    }
  }
  usage: { retentionDays: number }
  /** Kept answers, which a later request can continue; null: none are kept. */
  responses: {
    storeMs: number
    /** 32 bytes each, the newest first. */
    encryptionKeys: Buffer[]
    maxAnswerBytes: number
    maxAccountBytes: number
  } | null
  /** The prompt log of accounts and keys that have turned it on; null: not available. */
  promptLog: {
    maxDays: number
    maxBytes: number
    maxAccountBytes: number
    /** 32 bytes each, the newest first; undefined: none are configured. */
    encryptionKeys: Buffer[] | undefined
    patterns: OwnPattern[]
  } | null
  telemetry: {
    /** Null: `/metrics` is served at the gateway's own port only. */
    metricsPort: number | null
    /** Whether each request writes one line to the log. */
    accessLog: boolean
    /** Null: no traces are sent. */
    traces: { url: string; headers: Record<string, string>; sampleRatio: number } | null
  }
  limits: {
    burstPerKeyPerSecond: number
    burstBodyBytes: number
    tiers: Tier[]
  }
  identity: {
    /** Names the field `<name>_sub`. */
    name: string
    /** Null: the embedded provider signs users in. */
    external: { issuer: string; clientId: string } | null
    /** The audience that tokens must have; null: `publicUrl`. */
    resource: string | null
    registration: 'open' | 'closed' | 'invite'
    /** In lower case; empty: all domains are allowed. */
    allowedEmailDomains: string[]
    /** How many organizations one person may create. */
    maxOrganizations: number
    /** Which claim of the issuer's tokens sets roles in organizations; null: none does. */
    roles: { claim: string; mappings: RoleMapping[] } | null
  }
  mcp: {
    /** Where MCP clients reach the server, without a trailing slash; null: `publicUrl` and `/mcp`. */
    publicUrl: string | null
    /** How apps may register with the embedded provider. */
    clients: { documents: boolean; registration: boolean }
  }
  /** The payment processor that sells credit; null: no credit can be bought. */
  payments:
    | {
        processor: 'stripe'
        secretKey: string
        webhookSecret: string
        apiBase: string
        tax: { invoices: boolean; automaticTax: boolean; taxIds: boolean }
      }
    | { processor: 'sandbox' }
    | null
  /** Whether accounts may save a payment method that is then charged automatically. */
  autoTopup: boolean
  /** The issuer printed on receipts; null: none is printed. */
  receiptIssuer: { name: string; legalText: string | null } | null
  /** The mail server; null: no mail is sent. */
  mail: {
    host: string
    port: number
    tls: 'starttls' | 'implicit' | 'none'
    login: { user: string; password: string } | null
    from: { name: string; address: string }
  } | null
  webhooks: {
    /** Addresses and CIDR ranges that may be called besides public addresses. */
    allowedNetworks: string[]
    /** 32 bytes each, the newest first; empty: secrets are stored in plain text. */
    encryptionKeys: Buffer[]
  }
  admin: {
    /** Null: generated in `dataDir` if the gateway is on a loopback address. */
    internalSecret: string | null
    operators: string[]
  }
  /** Warnings for the operator, one line each. The server starts all the same. */
  warnings: string[]
}

export type Timeouts = Provider['timeouts']

/** The configuration's entry for a model. What it leaves out comes from the built-in catalog. */
export interface ModelOverride {
  id: string
  /** The entry is an alias of this model or of `turnpike/auto`, and then sets nothing else. */
  aliasOf?: string
  name?: string
  contextLength?: number
  maxOutputTokens?: number
  pricing?: Pricing
  /** Callable without a price. */
  free: boolean
  upstreams?: ModelUpstream[]
  /** For upstreams that have no formats of their own. */
  formats?: readonly FormatName[]
  fallbacks?: string[]
  tiers?: string[]
  operations?: Operation[]
  modalities?: { input?: string[]; output?: string[] }
  supportedParameters?: string[]
  limits?: RateLimits
  timeouts?: Partial<Timeouts>
}
