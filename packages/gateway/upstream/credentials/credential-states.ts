import type { CredentialState } from './credential.ts'
import type { Credentials } from './key-credentials.ts'

export interface ProviderCredential extends CredentialState {
  provider: string
  /** Its position in the provider's list, from 1. */
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

/** Secrets that no log may contain: all current and previous ones. */
export function secretsInUse(credentials: Credentials): string[] {
  return [...credentials.values()].flatMap((all) => all.flatMap((one) => one.secrets()))
}
