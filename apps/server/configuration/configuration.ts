import type { FormatName } from '@turnpike/dialects'
import type { CalibrationMode, ConfiguredTiers, OwnPattern, UpstreamOrder } from '@turnpike/gateway'
import type { RoleMapping } from '@turnpike/identity'
import type { RateLimits, Tier } from '@turnpike/limits'
import type { Operation, Pricing } from '@turnpike/protocol'
import type { BreakerRules, Profile } from '@turnpike/routing'
import type { ModelUpstream, Provider } from '@turnpike/vendors'

/** All that the server is told, resolved: defaults filled in, times in milliseconds, money in pico-USD. */
export interface Configuration {
  /** The file it was read from; null where there is none. */
  file: string | null
  server: {
    host: string
    port: number
    /** Without a slash at the end. */
    publicUrl: string
    /** Hosts that callers may name besides, as `gateway` (at any port) or `gateway:8787`. */
    allowedHosts: string[]
    /** It listens at every address of the machine, and no public address was told. */
    atAnyAddress: boolean
    /** Addresses and ranges. */
    trustedProxies: string[]
    maxBodyBytes: number
    maxHeaderBytes: number
    /** What a body may take beside its size. */
    bodyMs: number
    drainMs: number
    /** How long requests are still taken before that. */
    drainDelayMs: number
    /** Whether connections of streams that last are taken from Node's HTTP server. */
    detachesStreams: boolean
    /** Processes that serve together. */
    workers: number
  }
  /** Of the web pages that may call `/v1/*`, as browsers write them; `*`: of all. */
  cors: { allowedOrigins: string[] }
  /** Whether models and their prices are shown to everybody. */
  dashboard: { publicModels: boolean }
  overload: {
    maxRequests: number
    maxBodiesBytes: number
    maxEventLoopDelayMs: number
    maxUpstreamConnections: number
    maxUpstreamWaiting: number
  }
  /** Absolute. */
  dataDir: string
  /** Which of `server.workers` this process is, from 1 on; absent: the only one. */
  worker?: number
  /** Of the process that has the embedded database for all workers; absent: this one has it. */
  databaseSocket?: string
  /** Null: embedded SQLite in `dataDir`. */
  databaseUrl: string | null
  /** Where limits are counted across nodes; null: each node counts for itself. */
  redis: { url: string; timeoutMs: number } | null
  providers: Provider[]
  models: ModelOverride[]
  prices: {
    /** Absolute; null: `prices.json` in `dataDir`, where it is. */
    file: string | null
    /** Where newer prices are downloaded from; null: nowhere. */
    url: string | null
    refreshMs: number
  }
  billing: {
    /** Decimal string. */
    markup: string
    topup: { minPico: bigint; maxPico: bigint }
    leaseMs: number
    durability: 'process' | 'power'
    /** How long the answer of a model that reasons unseen is read once its client has left; 0: not at all. */
    readOnMs: number
    /** How often the ledger is verified by itself; 0: never. */
    verifyEveryMs: number
  }
  /** Accounts' own keys of vendors; null: they have none. */
  byok: {
    /** 32 bytes each, the one that seals first. */
    encryptionKeys: Buffer[]
    /** What of the list price is charged, as a factor; a decimal string. */
    fee: string
    /** Names of the providers that are called with them. */
    providers: string[]
  } | null
  routing: {
    order: UpstreamOrder
    /** Null: no upstream ever rests. */
    breaker: BreakerRules | null
    auto: {
      tiers: ConfiguredTiers
      /** By profile, from 0 to 1. */
      deltas: Record<Profile, number>
      /** What savings are reckoned against; null: the dearest model there is to choose from. */
      baselineModel: string | null
      calibration: CalibrationMode
    }
  }
  usage: { retentionDays: number }
  /** Of answers that callers may go on from; null: none is kept. */
  responses: {
    storeMs: number
    /** 32 bytes each, the newest first. */
    encryptionKeys: Buffer[]
    maxAnswerBytes: number
    maxAccountBytes: number
  } | null
  /** Of prompts and answers, where accounts and keys want them kept; null: nobody's are. */
  promptLog: {
    maxDays: number
    maxBytes: number
    maxAccountBytes: number
    /** 32 bytes each, the newest first; absent: not said. */
    encryptionKeys: Buffer[] | undefined
    patterns: OwnPattern[]
  } | null
  telemetry: {
    /** Null: `/metrics` is at the gateway's own port only. */
    metricsPort: number | null
    /** Whether each request is a line of the log. */
    accessLog: boolean
    /** Null: no traces. */
    traces: { url: string; headers: Record<string, string>; sampleRatio: number } | null
  }
  limits: {
    burstPerKeyPerSecond: number
    burstBodyBytes: number
    tiers: Tier[]
  }
  identity: {
    /** Makes the field `<name>_sub`. */
    name: string
    /** Null: the embedded provider. */
    external: { issuer: string; clientId: string } | null
    /** What tokens must be for; null: `publicUrl`. */
    resource: string | null
    registration: 'open' | 'closed' | 'invite'
    /** In lower case; empty: all. */
    allowedEmailDomains: string[]
    /** That a person may have made. */
    maxOrganizations: number
    /** What the issuer's tokens tell of roles in organizations; null: nothing. */
    roles: { claim: string; mappings: RoleMapping[] } | null
  }
  mcp: {
    /** Where MCP clients reach the server, without a slash at the end; null: `publicUrl` and `/mcp`. */
    publicUrl: string | null
    /** Which apps the embedded provider takes. */
    clients: { documents: boolean; registration: boolean }
  }
  /** Who takes the money for credit; null: nobody, and none can be bought. */
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
  /** Payment methods may be saved, and are charged by themselves. */
  autoTopup: boolean
  /** Whom receipts are from; null: nobody is named. */
  receiptIssuer: { name: string; legalText: string | null } | null
  /** How mail is sent; null: none is. */
  mail: {
    host: string
    port: number
    tls: 'starttls' | 'implicit' | 'none'
    login: { user: string; password: string } | null
    from: { name: string; address: string }
  } | null
  webhooks: {
    /** Addresses and ranges that may be called besides public ones. */
    allowedNetworks: string[]
    /** 32 bytes each, the newest first; none: secrets are kept as they are. */
    encryptionKeys: Buffer[]
  }
  admin: {
    /** Null: generated in `dataDir` on a loopback address. */
    internalSecret: string | null
    operators: string[]
  }
  /** What the operator should know, one line each; the server starts all the same. */
  warnings: string[]
}

export type Timeouts = Provider['timeouts']

/** What the configuration says of a model; what it does not say is left to the built-in catalog. */
export interface ModelOverride {
  id: string
  /** It is another name for this model, or for `turnpike/auto`; then nothing else is said of it. */
  aliasOf?: string
  name?: string
  contextLength?: number
  maxOutputTokens?: number
  pricing?: Pricing
  /** Callable without a price. */
  free: boolean
  upstreams?: ModelUpstream[]
  /** Of upstreams that do not say their own. */
  formats?: readonly FormatName[]
  fallbacks?: string[]
  tiers?: string[]
  operations?: Operation[]
  modalities?: { input?: string[]; output?: string[] }
  supportedParameters?: string[]
  limits?: RateLimits
  timeouts?: Partial<Timeouts>
}
