import type { Provider } from '@turnpike/vendors'
import type { Credential } from './credential.ts'
import { KeyCredential } from './key-credential.ts'
import { noCredential } from './no-credential.ts'

const none: readonly Credential[] = [noCredential]

/** By the provider's name; at least one each. */
export type Credentials = ReadonlyMap<string, readonly Credential[]>

/** Each provider's `api_keys`, in their order. */
export function keyCredentials(
  providers: Iterable<Pick<Provider, 'name' | 'apiKeys'>>,
): Map<string, readonly Credential[]> {
  const found = new Map<string, readonly Credential[]>()
  for (const { name, apiKeys } of providers) found.set(name, apiKeys.length === 0 ? none : apiKeys.map(keyOf))
  return found
}

function keyOf(key: string, index: number): Credential {
  return new KeyCredential(() => key, index + 1)
}
