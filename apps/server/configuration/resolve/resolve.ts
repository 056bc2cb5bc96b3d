import { resolve as resolvePath } from 'node:path'
import { isIPv6 } from 'node:net'
import { parseUsd } from '@turnpike/billing'
import type { Configuration, ModelOverride, Timeouts } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import { isLoopbackHost, isLoopbackUrl } from '../loopback.ts'
import { limitsWarnings, resolveLimits, resolveRateLimits, resolveRedis } from './limits.ts'
import { resolveByok } from './byok.ts'
import { resolveNotify } from './notify.ts'
import { resolveRouting } from './routing.ts'
import {
  milliseconds,
  providerWarnings,
  resolveProviders,
  resolveTimeouts,
  withoutSlash,
} from './providers.ts'
import { resolveOverload } from './overload.ts'
import type { ConfigurationInput } from '../schema/schema.ts'
import type { Environment } from '../variables.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Hosts on which a server accepts connections on every address of the machine. */
const anyAddresses: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** No load balancer runs in front of a server on loopback. */
function drainDelayMs(seconds: number | undefined, host: string): number {
  return Math.round(1_000 * (seconds ?? (isLoopbackHost(host) ? 0 : defaults.server.drain_delay_seconds)))
}

/** What the configuration depends on besides its text. */
export interface Surroundings {
  environment: Environment
  /** Base of relative paths. */
  directory: string
  /** Replaces `server.workers`; absent if the command line sets no number. */
  workers?: number | undefined
}

/** Fills in the defaults and converts the units. The input has passed all checks. */
export function resolveConfiguration(
  input: ConfigurationInput,
  surroundings: Surroundings & { file: string | null },
): Configuration {
  const server = { ...defaults.server, ...input.server }
  const workers = surroundings.workers ?? server.workers
  const publicUrl = withoutSlash(
    input.server?.public_url ?? `http://${authority(server.host)}:${server.port}`,
  )
  const general: Timeouts = { ...allTimeouts(defaults.upstream), ...resolveTimeouts(input.upstream) }
  const providers = resolveProviders(input, surroundings.environment, {
    general,
    publicUrlIsLoopback: isLoopbackUrl(publicUrl),
  })
  const isLoopback = isLoopbackHost(server.host) && isLoopbackUrl(publicUrl)
  return {
    file: surroundings.file,
    server: {
      host: server.host,
      port: server.port,
      publicUrl,
      ...resolveHosts(input.server, server.host),
      trustedProxies: input.server?.trusted_proxies ?? [],
      maxBodyBytes: server.max_body_bytes,
      maxHeaderBytes: server.max_header_bytes,
      bodyMs: milliseconds(server.body_seconds),
      drainMs: milliseconds(server.drain_seconds),
      drainDelayMs: drainDelayMs(input.server?.drain_delay_seconds, server.host),
      detachesStreams: server.detach_streams,
      workers,
    },
    ...resolvePages(input),
    overload: resolveOverload(input.overload, server.max_body_bytes),
    dataDir: resolvePath(surroundings.directory, input.data_dir ?? defaults.data_dir),
    databaseUrl: input.database?.url ?? null,
    redis: resolveRedis(input.redis),
    providers,
    models: Object.entries(input.models ?? {}).map(([id, model]) => resolveModel(id, model)),
    prices: {
      file: input.prices?.file === undefined ? null : resolvePath(surroundings.directory, input.prices.file),
      url: input.prices?.url ?? null,
      refreshMs: hourMs * (input.prices?.refresh_hours ?? defaults.prices.refresh_hours),
    },
    billing: resolveBilling(input.billing),
    byok: resolveByok(input.byok, providers),
    routing: resolveRouting(input.routing),
    telemetry: resolveTelemetry(input.telemetry),
    usage: { retentionDays: input.usage?.retention_days ?? defaults.usage.retention_days },
    ...resolveKept(input),
    limits: resolveLimits(input.limits),
    identity: resolveIdentity(input.identity),
    mcp: resolveMcp(input.mcp),
    ...resolveSales(input, isLoopback),
    ...resolveNotify(input),
    admin: {
      internalSecret: input.admin?.internal_secret ?? null,
      operators: input.admin?.operators ?? [],
    },
    warnings: [
      ...providers.flatMap(providerWarnings),
      ...(input.payments?.sandbox === true && !isLoopback ? [sandboxWarning] : []),
      ...limitsWarnings(workers, input),
    ],
  }
}

function resolveBilling(input: ConfigurationInput['billing']): Configuration['billing'] {
  const billing = { ...defaults.billing, ...input }
  const topup = { ...defaults.billing.topup, ...input?.topup }
  return {
    markup: billing.markup,
    topup: { minPico: parseUsd(topup.min_usd), maxPico: parseUsd(topup.max_usd) },
    leaseMs: milliseconds(billing.lease_seconds),
    durability: billing.durability === 'power' ? 'power' : 'process',
    verifyEveryMs: hourMs * billing.verify_hours,
    readOnMs: billing.read_on_seconds * 1_000,
  }
}

/** Settings for foreign web pages (CORS) and for our own. */
function resolvePages({ cors, dashboard }: ConfigurationInput): Pick<Configuration, 'cors' | 'dashboard'> {
  return {
    cors: { allowedOrigins: [...(cors?.allowed_origins ?? defaults.cors.allowed_origins)] },
    dashboard: { publicModels: dashboard?.public_models ?? defaults.dashboard.public_models },
  }
}

function resolveHosts(
  input: ConfigurationInput['server'],
  host: string,
): Pick<Configuration['server'], 'allowedHosts' | 'atAnyAddress'> {
  return {
    allowedHosts: input?.allowed_hosts ?? [],
    atAnyAddress: input?.public_url === undefined && anyAddresses.has(host),
  }
}

function resolveResponses(input: ConfigurationInput['responses']): Configuration['responses'] {
  const { store_days: days, encryption_keys: keys } = input ?? {}
  if (days === undefined || keys === undefined) return null
  return {
    storeMs: days * dayMs,
    encryptionKeys: keys.map((key) => Buffer.from(key, 'base64')),
    maxAnswerBytes: input?.max_answer_bytes ?? defaults.responses.max_answer_bytes,
    maxAccountBytes: input?.max_account_bytes ?? defaults.responses.max_account_bytes,
  }
}

/** Settings for the parts of requests and answers that are kept. */
function resolveKept(input: ConfigurationInput): Pick<Configuration, 'responses' | 'promptLog'> {
  return { responses: resolveResponses(input.responses), promptLog: resolvePromptLog(input) }
}

/** Without keys of its own, the prompt log uses those of `responses`, even if no answers are kept. */
function resolvePromptLog({ prompt_log: input, responses }: ConfigurationInput): Configuration['promptLog'] {
  const { enabled, max_days, max_bytes, max_account_bytes } = { ...defaults.prompt_log, ...input }
  if (!enabled) return null
  const keys = input?.encryption_keys ?? responses?.encryption_keys
  return {
    maxDays: max_days,
    maxBytes: max_bytes,
    maxAccountBytes: max_account_bytes,
    encryptionKeys: keys?.map((key) => Buffer.from(key, 'base64')),
    patterns: input?.redact ?? [],
  }
}

function resolveTelemetry(input: ConfigurationInput['telemetry']): Configuration['telemetry'] {
  const { metrics_port: metricsPort, access_log: accessLog, traces } = input ?? {}
  return {
    metricsPort: metricsPort ?? null,
    accessLog: accessLog ?? defaults.telemetry.access_log,
    traces:
      traces === undefined
        ? null
        : {
            url: traces.url,
            headers: traces.headers ?? {},
            sampleRatio: traces.sample_ratio ?? defaults.telemetry.traces.sample_ratio,
          },
  }
}

function resolveIdentity(input: ConfigurationInput['identity']): Configuration['identity'] {
  const { issuer, client_id: clientId } = input ?? {}
  return {
    name: input?.name ?? defaults.identity.name,
    external: issuer === undefined || clientId === undefined ? null : { issuer, clientId },
    resource: input?.resource ?? null,
    registration: input?.registration ?? defaults.identity.registration,
    allowedEmailDomains: (input?.allowed_email_domains ?? []).map((domain) => domain.toLowerCase()),
    maxOrganizations: input?.max_organizations ?? defaults.identity.max_organizations,
    roles: resolveRoles(input),
  }
}

function resolveRoles(input: ConfigurationInput['identity']): Configuration['identity']['roles'] {
  if (input?.roles_claim === undefined) return null
  const mappings = (input.role_mappings ?? []).map(({ value, organization, role }) => ({
    value,
    organizationId: organization,
    role,
  }))
  return { claim: input.roles_claim, mappings }
}

function resolveMcp(input: ConfigurationInput['mcp']): Configuration['mcp'] {
  const { client_documents: documents, client_registration: registration } = { ...defaults.mcp, ...input }
  return {
    publicUrl: input?.public_url === undefined ? null : canonicalUrl(input.public_url),
    clients: { documents, registration },
  }
}

/** Writes the host in lower case, because clients compare it case-sensitively. */
function canonicalUrl(address: string): string {
  return withoutSlash(new URL(address).href)
}

const sandboxWarning =
  'payments.sandbox: anyone who can reach this gateway can get free credit and spend it at your vendors'

/** The payment processor and the issuer of receipts. */
function resolveSales(
  { payments }: ConfigurationInput,
  isLoopback: boolean,
): Pick<Configuration, 'payments' | 'autoTopup' | 'receiptIssuer'> {
  return {
    payments: resolvePayments(payments, isLoopback),
    autoTopup: payments?.auto_topup !== false,
    receiptIssuer: resolveReceipt(payments?.receipt),
  }
}

/** Play money buys real tokens, so it is for one's own machine, unless the operator allows it elsewhere. */
function resolvePayments(
  input: ConfigurationInput['payments'],
  isLoopback: boolean,
): Configuration['payments'] {
  const { stripe, sandbox = isLoopback } = input ?? {}
  if (stripe === undefined) return sandbox ? { processor: 'sandbox' } : null
  return {
    processor: 'stripe',
    secretKey: stripe.secret_key,
    webhookSecret: stripe.webhook_secret,
    apiBase: withoutSlash(stripe.api_base ?? defaults.payments.stripe.api_base),
    tax: {
      invoices: stripe.invoices === true,
      automaticTax: stripe.automatic_tax === true,
      taxIds: stripe.tax_id_collection === true,
    },
  }
}

function resolveReceipt(
  receipt: NonNullable<ConfigurationInput['payments']>['receipt'],
): Configuration['receiptIssuer'] {
  if (receipt === undefined) return null
  return { name: receipt.issuer.trim(), legalText: receipt.legal_text?.trim() ?? null }
}

function authority(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

function allTimeouts(input: Required<NonNullable<ConfigurationInput['upstream']>>): Timeouts {
  return {
    connectMs: milliseconds(input.connect_seconds),
    firstByteMs: milliseconds(input.first_byte_seconds),
    idleMs: milliseconds(input.idle_seconds),
    totalMs: milliseconds(input.total_seconds),
  }
}

type ModelInput = NonNullable<ConfigurationInput['models']>[string]

function resolveModel(id: string, input: ModelInput): ModelOverride {
  const model: ModelOverride = { id, free: input.free ?? false }
  if (input.alias_of !== undefined) model.aliasOf = input.alias_of
  if (input.name !== undefined) model.name = input.name
  if (input.context_length !== undefined) model.contextLength = input.context_length
  if (input.max_output_tokens !== undefined) model.maxOutputTokens = input.max_output_tokens
  if (input.pricing !== undefined) model.pricing = input.pricing
  if (input.upstreams !== undefined) model.upstreams = input.upstreams
  if (input.formats !== undefined) model.formats = input.formats
  if (input.fallbacks !== undefined) model.fallbacks = input.fallbacks
  if (input.tiers !== undefined) model.tiers = input.tiers
  if (input.operations !== undefined) model.operations = input.operations
  if (input.modalities !== undefined) model.modalities = input.modalities
  if (input.supported_parameters !== undefined) model.supportedParameters = input.supported_parameters
  if (input.upstream !== undefined) model.timeouts = resolveTimeouts(input.upstream)
  if (input.limits !== undefined) model.limits = resolveRateLimits(input.limits)
  return model
}
