/** Authenticates a provider's calls instead of a key: its credentials are requested, and renewed in time. */
export type ProviderIdentity = AwsIdentity | GoogleIdentity | EntraIdentity

/** AWS keys that sign each call. */
export interface AwsIdentity {
  kind: 'aws'
  /** For a provider in several regions, the first; undefined if not configured. */
  region: string | undefined
  /** From the shared configuration files. */
  profile?: string
  roleArn?: string
  externalId?: string
  sessionName?: string
  /** Absolute. */
  webIdentityTokenFile?: string
  keys?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

/** An access token of Google Cloud. */
export interface GoogleIdentity {
  kind: 'google'
  /** Absolute path of a service account, workload identity or user, as downloaded from Google's console. */
  file?: string
  /** The same as text. */
  json?: string
  /** A service account's address. */
  impersonate?: string
}

/** An access token of Microsoft Entra. Without a secret, certificate or token file: a managed identity. */
export interface EntraIdentity {
  kind: 'entra'
  tenantId?: string
  clientId?: string
  clientSecret?: string
  /** Absolute. */
  clientSecretFile?: string
  /** PEM, with its private key; absolute. */
  certificateFile?: string
  /** For a workload identity; absolute. */
  tokenFile?: string
  scope: string
}

/** The parts that no log may show. */
export function identitySecrets(identity: ProviderIdentity | undefined): string[] {
  if (identity?.kind === 'aws') {
    const { secretAccessKey, sessionToken } = identity.keys ?? {}
    return [secretAccessKey, sessionToken].filter((secret) => secret !== undefined)
  }
  if (identity?.kind === 'google') return identity.json === undefined ? [] : [identity.json]
  return identity?.clientSecret === undefined ? [] : [identity.clientSecret]
}
