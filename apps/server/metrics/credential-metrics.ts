import { credentialStates, type Credentials, type ProviderCredential } from '@turnpike/gateway'
import type { Meters } from './register.ts'

/** Metrics of minted credentials, if there are any. Keys have none, because they never expire. */
export function registerCredentialMetrics({ gauge }: Meters, credentials: Credentials): void {
  const listMinted = () => credentialStates(credentials).filter(({ kind }) => kind !== 'key')
  if (listMinted().length === 0) return
  gauge(
    'turnpike_credential_ready',
    'Whether the cloud credential of a provider is valid (1) or missing (0).',
    ['provider', 'key'],
    () => listMinted().map((one) => [labelsOf(one), isGood(one) ? 1 : 0] as const),
  )
  gauge(
    'turnpike_credential_expires_seconds',
    'Seconds until the cloud credential of a provider expires. It is renewed long before.',
    ['provider', 'key'],
    () =>
      listMinted().flatMap((one) =>
        one.expiresInSeconds === null ? [] : [[labelsOf(one), one.expiresInSeconds] as const],
      ),
  )
}

/** Whether it can be used: a credential that could not be renewed is valid until it expires. */
function isGood({ state }: ProviderCredential): boolean {
  return state === 'ready' || state === 'failing'
}

function labelsOf({ provider, number }: ProviderCredential): Record<string, string> {
  return { provider, key: String(number ?? '') }
}
