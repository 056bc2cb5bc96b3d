import type { Credential, CredentialHeaders, CredentialState } from './credential.ts'

const noHeaders: CredentialHeaders = Object.freeze({})
const noSecrets: readonly string[] = []

/** The credential for a server that needs none. */
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
