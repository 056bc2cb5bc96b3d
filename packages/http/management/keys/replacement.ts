import type { ApiKey, RotationResult } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { notFound } from '../not-found.ts'
import type { ManagementServices } from '../services.ts'
import { existing, inactive, keyRefusal } from './refusal.ts'

/** The new key's identifier. @throws {GatewayError} 400, 404 or 409 if the key cannot be replaced */
export async function requireReplaced(replacing: Promise<RotationResult>): Promise<string> {
  const result = await replacing.catch((error: unknown) => {
    throw keyRefusal(error)
  })
  if ('key' in result) return result.key.id
  if ('refused' in result) throw result.refused === 'key-revoked' ? inactive('key_id') : notFound('Key')
  const message = `This key was already rotated. Its replacement is ${result.replacedBy}.`
  throw new GatewayError('conflict_error', message, { param: 'key_id' })
}

/** The replacement of a key, once this node's leases of the old key have followed its credit. */
export async function replacementOf(
  { accountId, keyId }: { accountId: string; keyId: string },
  newKeyId: string,
  services: Pick<ManagementServices, 'apiKeys' | 'onKeyChanged' | 'releaseCredit'>,
): Promise<ApiKey> {
  services.onKeyChanged(keyId)
  await services.releaseCredit(keyId)
  return existing(await services.apiKeys.find(accountId, newKeyId))
}
