/** By what a provider's calls are proved where it is no key: whoever gives it is asked, and again in time. */
export type ProviderIdentity = AwsIdentity | GoogleIdentity | EntraIdentity

/** Keys of AWS's, by which each call is signed. */
export interface AwsIdentity {
  kind: 'aws'
  /** Of a provider in several, the first; undefined: nobody said it. */
  region: string | undefined
  /** Of the shared configuration files. */
  profile?: string
  roleArn?: string
  externalId?: string
  sessionName?: string
  /** Absolute. */
  webIdentityTokenFile?: string
  keys?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

/** An access token of Google Cloud's. */
export interface GoogleIdentity {
  kind: 'google'
  /** Of a service account, a workload identity or a user, as Google's console gives it; absolute. */
  file?: string
  /** The same as text. */
  json?: string
  /** A service account's address. */
  impersonate?: string
}

/** An access token of Microsoft Entra's. Without secret, certificate and token file: a managed identity. */
export interface EntraIdentity {
  kind: 'entra'
  tenantId?: string
  clientId?: string
  clientSecret?: string
  /** Absolute. */
  clientSecretFile?: string
  /** PEM, with its private key; absolute. */
  certificateFile?: string
  /** Of a workload identity; absolute. */
  tokenFile?: string
  scope: string
}

/** What of it no log may show. */
export function identitySecrets(identity: ProviderIdentity | undefined): string[] {
  if (identity?.kind === 'aws') {
    const { secretAccessKey, sessionToken } = identity.keys ?? {}
    return [secretAccessKey, sessionToken].filter((secret) => secret !== undefined)
  }
  if (identity?.kind === 'google') return identity.json === undefined ? [] : [identity.json]
  return identity?.clientSecret === undefined ? [] : [identity.clientSecret]
}
