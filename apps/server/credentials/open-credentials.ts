import {
  KeyCredential,
  MintedSecret,
  SignatureCredential,
  SkewedClock,
  TokenCredential,
  keyCredentials,
  type AwsKeys,
  type Credential,
  type Credentials,
  type GatewayLog,
  type MintedSecretOptions,
} from '@turnpike/gateway'
import type { AwsIdentity, EntraIdentity, GoogleIdentity, Provider } from '@turnpike/vendors'
import { SecretFile, type SecretFileOptions } from './secret-file.ts'

/** The providers' credentials while the node runs. */
export interface OpenCredentials {
  byProvider: Credentials
  /** Stops watching files and minting credentials. */
  close(): void
}

interface Opening {
  provider: Provider
  /** The number of the first credential after the provider's keys. */
  number: number
  log: GatewayLog
  /** Collects what has to be closed with the node. */
  opened: { close(): void }[]
}

/** The name of Bedrock in signatures, also for addresses of `bedrock-runtime`. */
const service = 'bedrock'

/**
 * Opens a provider's keys, the keys in files, and after them its identity. Slow work starts at once, but
 * nothing waits for it. An identity's SDK is loaded only if a provider uses it.
 * @throws {SecretFileError} a required file cannot be read
 */
export function openCredentials(providers: readonly Provider[], log: GatewayLog): OpenCredentials {
  const opened: { close(): void }[] = []
  const byProvider = keyCredentials(providers)
  for (const provider of providers) {
    const { name, apiKeys, apiKeyFiles = [], identity } = provider
    if (apiKeyFiles.length === 0 && identity === undefined) continue
    const own: Credential[] = apiKeys.length === 0 ? [] : [...byProvider.get(name)!]
    const opening = (): Opening => ({ provider, number: own.length + 1, log, opened })
    for (const path of apiKeyFiles) own.push(keyInFile(path, opening()))
    const proving = identityOf(opening())
    if (proving !== undefined) own.push(proving)
    byProvider.set(name, own)
  }
  return {
    byProvider,
    close() {
      for (const one of opened) one.close()
    },
  }
}

function keyInFile(path: string, opening: Opening): Credential {
  const listeners = new Set<() => void>()
  const onChange = (): void => {
    for (const listener of listeners) listener()
  }
  const file = watchFile(path, opening, { isKey: true, onChange })
  const onRenewed = (listener: () => void): void => void listeners.add(listener)
  return new KeyCredential(() => file.current(), opening.number, { source: `file ${path}`, onRenewed })
}

function watchFile(
  path: string,
  { provider, log, opened }: Opening,
  options: Pick<SecretFileOptions, 'isKey' | 'onChange'>,
): SecretFile {
  const file = new SecretFile(path, {
    ...options,
    onTrouble(problem) {
      const fields = { provider: provider.name, file: path }
      if (problem === null) log.warn(fields, 'a secret file is readable again')
      else log.warn({ ...fields, problem }, 'a secret file cannot be used: the previous value stays in use')
    },
  })
  opened.push(file)
  return file
}

function identityOf(opening: Opening): Credential | undefined {
  const { identity } = opening.provider
  if (identity?.kind === 'aws') return signature(identity, opening)
  if (identity?.kind === 'google') return googleToken(identity, opening)
  return identity === undefined ? undefined : entraToken(identity, opening)
}

function signature(identity: AwsIdentity, opening: Opening): Credential {
  const { provider, number, log } = opening
  const region = identity.region ?? 'us-east-1'
  const regions = new Map(
    (provider.regions ?? [provider]).map((one) => [new URL(one.baseUrl).origin, one.region]),
  )
  const regionOf = (origin: string): string => regions.get(origin) ?? region
  const clock = new SkewedClock((behindMs) => {
    const fields = { provider: provider.name, behindSeconds: Math.round(behindMs / 1_000) }
    log.warn(
      fields,
      "this node's clock differs from AWS's, which is used to sign calls; synchronize it with NTP",
    )
  })
  const { keys, roleArn, profile } = identity
  const minted = opened<AwsKeys>(opening, [identity.webIdentityTokenFile], {
    source: `AWS: ${roleArn ?? (keys === undefined ? `profile ${profile ?? 'or environment'}` : 'keys')}`,
    secretsOf: ({ secretAccessKey, sessionToken }) =>
      sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken],
    async mint() {
      // Configured keys are used as they are.
      if (keys !== undefined && roleArn === undefined)
        return { value: keys, livesMs: null, source: 'AWS: keys' }
      const { mintAwsKeys } = await import('./aws-source.ts')
      return mintAwsKeys(identity, { region, now: () => clock.now() })
    },
  })
  return new SignatureCredential(minted, { regionOf, service, clock, number })
}

function googleToken(identity: GoogleIdentity, opening: Opening): Credential {
  const { file, impersonate } = identity
  const minted = opened<string>(opening, [file], {
    source: `Google: ${impersonate ?? file ?? 'application-default credentials'}`,
    secretsOf: (token) => [token],
    async mint() {
      const { mintGoogleToken } = await import('./google-source.ts')
      return mintGoogleToken(identity)
    },
  })
  return new TokenCredential(minted, opening.number)
}

function entraToken(identity: EntraIdentity, opening: Opening): Credential {
  const { certificateFile, tokenFile, clientSecretFile, clientId } = identity
  const minted = opened<string>(opening, [certificateFile, tokenFile, clientSecretFile], {
    source: `Entra: ${clientId ?? 'managed identity'}`,
    secretsOf: (token) => [token],
    async mint(signal) {
      const { mintEntraToken } = await import('./entra-source.ts')
      return mintEntraToken(identity, signal)
    },
  })
  return new TokenCredential(minted, opening.number)
}

/** A secret that is minted from now on, and again when one of these files changes. */
function opened<Value>(
  opening: Opening,
  files: readonly (string | undefined)[],
  options: Omit<MintedSecretOptions<Value>, 'onTrouble'>,
): MintedSecret<Value> {
  const { provider, log } = opening
  const { source } = options
  const minted = new MintedSecret<Value>({
    ...options,
    onTrouble(failure) {
      const fields = { provider: provider.name, source }
      if (failure === null) return log.warn(fields, 'the credential of a provider is being renewed again')
      const { message, hint } = failure
      log.warn({ ...fields, reason: message, hint }, 'the credential of a provider could not be obtained')
    },
  })
  opening.opened.push(minted)
  for (const path of files)
    if (path !== undefined) watchFile(path, opening, { onChange: () => minted.renew() })
  minted.start()
  return minted
}
