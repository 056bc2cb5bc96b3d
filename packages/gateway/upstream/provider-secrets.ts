import { identitySecrets, type Provider } from '@turnpike/vendors'

/** What no log and no caller may see of a provider: its keys, and its headers' values, which may be keys. */
export function providerSecrets({
  apiKeys,
  headers,
  identity,
}: Pick<Provider, 'apiKeys' | 'headers' | 'identity'>): string[] {
  return [...apiKeys, ...identitySecrets(identity), ...Object.values(headers).flatMap(secretsInHeader)]
}

/** The value, and what follows `Bearer` or `Basic` in it (RFC 7617). */
export function secretsInHeader(value: string): string[] {
  const [, scheme = '', credential] = /^(\w+)\s+(\S+)$/.exec(value.trim()) ?? []
  if (credential === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, credential]
  const plain = Buffer.from(credential, 'base64').toString('utf8')
  return [value, credential, plain, plain.slice(plain.indexOf(':') + 1)]
}
