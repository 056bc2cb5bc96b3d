import { providerSecrets, secretsInHeader, type GatewayLog } from '@turnpike/gateway'
import type { Configuration } from '../configuration/configuration.ts'

/** The log of a node: the part of pino's logger that is used here. */
export interface NodeLog extends GatewayLog {
  /** For the last line of a process that cannot continue. */
  fatal(fields: Record<string, unknown>, message: string): void
  /** For our own texts only: they are not redacted. */
  info(fields: Record<string, unknown>, message: string): void
}

export interface RedactingLog extends NodeLog {
  /** Adds further secrets to redact. Called for each line, because minted credentials change. */
  hide(secrets: () => readonly string[]): void
}

const redacted = '[redacted]'
/** Shorter secrets are only redacted as whole words, because they may be part of other words by chance. */
const shortestWithinWords = 8
/** Anything shorter is not treated as a secret. */
const shortestSecret = 5

/** Patterns of secrets, whoever they belong to. */
const shapes: readonly [RegExp, string][] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi, `$1:${redacted}@`],
  [/\b(authorization["']?\s*[:=]\s*["']?)(?:\w+\s+)?[^\s"',]+/gi, `$1${redacted}`],
  [/\b(bearer)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\b(?:sk|rk|pk|whsec|gsk|xai|hf)[-_][\w-]{12,}/g, redacted],
  [/\bAIza[\w-]{20,}/g, redacted],
  [/\b(?:ya29\.[\w.-]{10,}|A(?:KIA|SIA)[A-Z0-9]{16}\b)/g, redacted],
  [/\b(?:ABSK[\w+/=]{20,}|bedrock-api-key-[\w+/=-]{10,})/g, redacted],
  [/\b(signature\s*[:=]\s*)[0-9a-f]{64}\b/gi, `$1${redacted}`],
  [/\b(x-amz-(?:security-token|signature)["']?\s*[:=]\s*["']?)[^&\s"',]+/gi, `$1${redacted}`],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g, redacted],
  [/([?&](?:key|api[-_]?key|token|secret|password)=)[^&\s"']+/gi, `$1${redacted}`],
]

/**
 * A log without credentials: it redacts the configuration's secrets and everything that looks like one,
 * however it got into an error's text. Errors are written as text, without the fields that databases add,
 * because these quote rows.
 */
export function redactingLog(log: NodeLog, configuration: Configuration): RedactingLog {
  const secrets = secretsOf(configuration)
  const hidden: (() => readonly string[])[] = []
  const clean = (text: string): string =>
    redact(redact(text, patternsOf(hidden.flatMap((further) => further()))), secrets)
  const cleanFields = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cleanValue(value, clean)]))
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(cleanFields(fields), clean(message)),
    error: (fields, message) => log.error(cleanFields(fields), clean(message)),
    fatal: (fields, message) => log.fatal(cleanFields(fields), clean(message)),
    hide: (further) => void hidden.push(further),
  }
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (value instanceof Error) return clean(String(value))
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleanValue(item, clean)]))
}

function redact(text: string, secrets: readonly (string | RegExp)[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, redacted)
  for (const [shape, replacement] of shapes) clean = clean.replaceAll(shape, replacement)
  return clean
}

function secretsOf(configuration: Configuration): (string | RegExp)[] {
  const { providers, admin, payments, databaseUrl, redis, telemetry, responses, promptLog } = configuration
  const { mail, webhooks, byok } = configuration
  const stripe = payments?.processor === 'stripe' ? [payments.secretKey, payments.webhookSecret] : []
  const known = [
    ...providers.flatMap(providerSecrets),
    ...stripe,
    ...Object.values(telemetry.traces?.headers ?? {}).flatMap(secretsInHeader),
    ...[databaseUrl, redis?.url].flatMap((url) => passwordOf(url)),
    admin.internalSecret ?? '',
    mail?.login?.password ?? '',
    ...[responses, promptLog, webhooks, byok]
      .flatMap((of) => of?.encryptionKeys ?? [])
      .map((key) => key.toString('base64')),
  ]
  return patternsOf(known)
}

/** The longest first, because one secret may be the beginning of another. */
function patternsOf(known: readonly string[]): (string | RegExp)[] {
  const secrets = [...new Set(known)].filter(({ length }) => length >= shortestSecret)
  return secrets.toSorted((a, b) => b.length - a.length).map(patternOf)
}

function patternOf(secret: string): string | RegExp {
  if (secret.length >= shortestWithinWords) return secret
  // `RegExp.escape` does not exist in Node 22.
  return new RegExp(`(?<!\\w)${secret.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?!\\w)`, 'g')
}

/** The password as written in the address, and decoded. */
function passwordOf(url: string | null | undefined): string[] {
  if (url === null || url === undefined || !URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}
