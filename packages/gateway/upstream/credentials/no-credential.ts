import type { Credential, CredentialHeaders, CredentialState } from './credential.ts'

const noHeaders: CredentialHeaders = Object.freeze({})
const noSecrets: readonly string[] = []

/** What a server is called with that wants none. */
export const noCredential: Credential = Object.freeze({
  kind: 'none',
  number: null,
  headers: () => noHeaders,
  ready: () => Promise.resolve(),
  handleRefusal: () => 'rest' as const,
  state: (): CredentialState => ({
    kind: 'none',
    source: 'none',
    state: 'ready',
    expiresInSeconds: null,
    failure: null,
    hint: null,
  }),
  secrets: () => noSecrets,
})
