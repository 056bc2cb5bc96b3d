import type { ApiKey } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'

/** The key, or 404: another account's key is no different from one that never was. */
export function existing(key: ApiKey | undefined): ApiKey {
  if (key === undefined) throw unknownKey()
  return key
}

export function unknownKey(): GatewayError {
  return new GatewayError('not_found_error', 'There is no such key.')
}

/** What is left to say of a key that has no credit of its own any more. */
export function inactive(param: string): GatewayError {
  return invalidRequest(param, `\`${param}\`: expected an active key; this one is revoked or replaced.`)
}
