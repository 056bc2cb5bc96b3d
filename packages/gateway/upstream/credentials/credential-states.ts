import type { CredentialState } from './credential.ts'
import type { Credentials } from './key-credentials.ts'

export interface ProviderCredential extends CredentialState {
  provider: string
  /** Its place among the provider's, from 1. */
  number: number | null
}

/** The state of each provider's credentials; providers without any are left out. */
export function credentialStates(credentials: Credentials): ProviderCredential[] {
  return [...credentials].flatMap(([provider, all]) =>
    all
      .filter(({ kind }) => kind !== 'none')
      .map((one) => ({ provider, number: one.number, ...one.state() })),
  )
}

/** What no log may hold: all that is in use, and what was before it. */
export function secretsInUse(credentials: Credentials): string[] {
  return [...credentials.values()].flatMap((all) => all.flatMap((one) => one.secrets()))
}
