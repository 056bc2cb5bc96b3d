import type { GatewayLog } from '@turnpike/gateway'
import type { Configuration } from '../configuration/configuration.ts'

/** What a node writes to: the part of pino's logger that is used here. */
export interface NodeLog extends GatewayLog {
  /** The last line of a process that cannot go on. */
  fatal(fields: Record<string, unknown>, message: string): void
  /** Of our own words only: it is written as it is. */
  info(fields: Record<string, unknown>, message: string): void
}

const redacted = '[redacted]'
/** Shorter ones are no secrets, but words that stand in messages. */
const shortestSecret = 8

/** What is a secret by its looks, whoever it belongs to. */
const shapes: readonly [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi, `$1:${redacted}@`],
  [/\b(authorization["']?\s*[:=]\s*["']?)(?:\w+\s+)?[^\s"',]+/gi, `$1${redacted}`],
  [/\b(bearer)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\b(?:sk|rk|pk|whsec|gsk|xai|hf)[-_][\w-]{12,}/g, redacted],
  [/\bAIza[\w-]{20,}/g, redacted],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g, redacted],
  [/([?&](?:key|api[-_]?key|token|secret|password)=)[^&\s"']+/gi, `$1${redacted}`],
]

/**
 * A log that no credential reaches: none of the configuration, and nothing that looks like one, however it
 * got into an error's text. Errors are written as their text, without the fields that databases add, which
 * quote rows.
 */
export function redactingLog(log: NodeLog, configuration: Configuration): NodeLog {
  const secrets = secretsOf(configuration)
  const clean = (text: string): string => redact(text, secrets)
  const cleanFields = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cleanValue(value, clean)]))
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(cleanFields(fields), clean(message)),
    error: (fields, message) => log.error(cleanFields(fields), clean(message)),
    fatal: (fields, message) => log.fatal(cleanFields(fields), clean(message)),
  }
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  return value instanceof Error ? clean(String(value)) : value
}

function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, redacted)
  for (const [shape, replacement] of shapes) clean = clean.replaceAll(shape, replacement)
  return clean
}

function secretsOf({ providers, admin, payments, databaseUrl, redis, telemetry }: Configuration): string[] {
  const stripe = payments?.processor === 'stripe' ? [payments.secretKey, payments.webhookSecret] : []
  const known = [
    ...providers.flatMap(({ apiKeys }) => apiKeys),
    ...stripe,
    ...Object.values(telemetry.traces?.headers ?? {}),
    ...[databaseUrl, redis?.url].flatMap((url) => passwordOf(url)),
    admin.internalSecret ?? '',
  ]
  // The longest first: one may begin with another.
  return known.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length)
}

/** As it stands in the address, and as it is meant. */
function passwordOf(url: string | null | undefined): string[] {
  if (url === null || url === undefined || !URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}
