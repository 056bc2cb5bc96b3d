import { GatewayError } from '@turnpike/protocol'
import type { KnownKey } from '@turnpike/identity'
import type { Authenticated, Received } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { newRecord } from '../metering/new-record.ts'

const scheme = /^bearer +/i

/**
 * Finds the key of `Authorization: Bearer <API_KEY>`; without a promise where the key is known.
 * @throws {GatewayError} 401 missing, malformed, wrong, revoked or expired; 403 account not active; 503 store
 * away
 */
export function authenticate(request: Received, gateway: Gateway): Authenticated | Promise<Authenticated> {
  const header = request.exchange.header('authorization')
  if (header === undefined) {
    gateway.observer.stranger?.('no-key')
    throw refused('No API key was given: send it as "Authorization: Bearer sk-turnpike-…".')
  }
  const named = scheme.exec(header)
  if (named === null) {
    gateway.observer.stranger?.('no-bearer')
    throw refused('The Authorization header must be "Bearer " and an API key.')
  }
  const key = gateway.keys.find(header.slice(named[0].length), request.exchange.startedAtMs)
  if (key instanceof Promise) return admitLater(key, request, gateway)
  return admit(key, request, gateway)
}

async function admitLater(
  key: Promise<KnownKey | undefined>,
  request: Received,
  gateway: Gateway,
): Promise<Authenticated> {
  let found: KnownKey | undefined
  try {
    found = await key
  } catch (cause) {
    gateway.observer.stranger?.('not-looked-up')
    throw new GatewayError(
      'service_unavailable',
      'The key cannot be looked up at the moment; please retry.',
      {
        cause,
        retryAfterSeconds: 1,
        detail: `key look-up failed: ${String(cause)}`,
      },
    )
  }
  return admit(found, request, gateway)
}

function admit(key: KnownKey | undefined, request: Received, gateway: Gateway): Authenticated {
  if (key === undefined) {
    gateway.observer.stranger?.('unknown-key')
    throw refused('The API key is wrong: it has a typo or does not exist.')
  }
  // From here on it is known whose request this is, so that it is recorded also where it is refused.
  const record = newRecord(request.exchange, key, gateway.settings.markup)
  const authenticated = Object.assign(request, { key, record })
  if (key.status === 'revoked') throw refused('The API key was revoked.')
  if (key.expiresAtMs !== null && key.expiresAtMs <= request.exchange.startedAtMs)
    throw refused('The API key has expired.')
  if (key.accountStatus !== 'active') {
    throw new GatewayError('permission_error', `The account is ${key.accountStatus}.`)
  }
  return authenticated
}

function refused(message: string): GatewayError {
  return new GatewayError('authentication_error', message)
}
