import { isGooglePath } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import type { KnownKey } from '@turnpike/identity'
import type { Exchange } from '../context/exchange.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated, Received } from '../context/stages.ts'
import { newRecord } from '../metering/new-record.ts'

const scheme = /^bearer +/i

/**
 * Finds the request's API key, and begins the request's row. Returns no promise if the node knows the key.
 * @throws {GatewayError} 401 missing, malformed, wrong, revoked or expired; 403 account not active; 503 store
 * unavailable
 */
export function authenticate(request: Received, gateway: Gateway): Authenticated | Promise<Authenticated> {
  const key = findKey(request.exchange, gateway)
  return key instanceof Promise
    ? key.then((found) => admit(found, request, gateway))
    : admit(key, request, gateway)
}

/** From here on the request belongs to an account, so it is recorded even if a later step rejects it. */
function admit(key: KnownKey, request: Received, gateway: Gateway): Authenticated {
  const authenticated = request as Authenticated
  authenticated.key = key
  authenticated.record = newRecord(request, key, gateway.settings.markup)
  requireUsable(key, request.exchange)
  return authenticated
}

/**
 * Finds the key of `Authorization: Bearer <API_KEY>`, of `x-api-key`, or of Google's equivalents. Returns no
 * promise if the node knows the key.
 * @throws {GatewayError} 401 missing, malformed or unknown; 503 store unavailable
 */
export function findKey(exchange: Exchange, gateway: Gateway): KnownKey | Promise<KnownKey> {
  const { keyHash, startedAtMs } = exchange
  const key =
    keyHash === undefined
      ? gateway.keys.find(readKey(exchange, gateway), startedAtMs)
      : gateway.keys.findByHash(keyHash, startedAtMs)
  return key instanceof Promise ? awaitLookUp(key, gateway) : requireKnown(key, gateway)
}

/** Anthropic's clients send `x-api-key`. Claude Code may send both headers; they then hold the same key. */
function readKey(exchange: Exchange, { observer }: Gateway): string {
  const header = exchange.header('authorization')
  const named = header === undefined ? null : scheme.exec(header)
  if (named !== null) return header!.slice(named[0].length)
  const plain = exchange.header('x-api-key') ?? exchange.header('x-goog-api-key') ?? keyInQuery(exchange)
  if (plain !== undefined) return plain
  observer.unauthenticated?.(header === undefined ? 'no-key' : 'no-bearer')
  throw authenticationError(
    header === undefined
      ? 'No API key was sent. Send it as "Authorization: Bearer sk-turnpike-…" or in "x-api-key".'
      : 'The Authorization header must be "Bearer " followed by an API key.',
  )
}

/** Google's own API also takes the key in the query. Clients of other formats must not send it there. */
function keyInQuery({ path, query }: Exchange): string | undefined {
  if (query === '' || !isGooglePath(path)) return undefined
  return new URLSearchParams(query).get('key') ?? undefined
}

async function awaitLookUp(key: Promise<KnownKey | undefined>, gateway: Gateway): Promise<KnownKey> {
  let found: KnownKey | undefined
  try {
    found = await key
  } catch (cause) {
    gateway.observer.unauthenticated?.('not-looked-up')
    const message = 'The key cannot be looked up at the moment; please retry.'
    const detail = `key look-up failed: ${String(cause)}`
    throw new GatewayError('service_unavailable', message, { cause, retryAfterSeconds: 1, detail })
  }
  return requireKnown(found, gateway)
}

function requireKnown(key: KnownKey | undefined, gateway: Gateway): KnownKey {
  if (key !== undefined) return key
  gateway.observer.unauthenticated?.('unknown-key')
  throw authenticationError('The API key is invalid: it has a typo or does not exist.')
}

/** @throws {GatewayError} 401 revoked or expired; 403 account not active */
export function requireUsable(key: KnownKey, { startedAtMs }: Exchange): void {
  if (key.status === 'revoked') throw authenticationError('The API key has been revoked.')
  if (key.expiresAtMs !== null && key.expiresAtMs <= startedAtMs)
    throw authenticationError('The API key has expired.')
  if (key.accountStatus !== 'active')
    throw new GatewayError('permission_error', `The account is ${key.accountStatus}.`)
}

/** Without this header, Claude Code retries a rejected credential for three minutes. */
const headers = { 'x-should-retry': 'false' }

function authenticationError(message: string): GatewayError {
  return new GatewayError('authentication_error', message, { headers })
}
