import {
  fromIni,
  fromNodeProviderChain,
  fromTemporaryCredentials,
  fromTokenFile,
} from '@aws-sdk/credential-providers'
import { CredentialFailure, type AwsKeys, type Minted } from '@turnpike/gateway'
import type { AwsIdentity } from '@turnpike/vendors'
import { hintFor } from './hints.ts'
import { sourceFailure } from './source-failure.ts'

/** The services that issue keys respond fast or are unavailable; the caller tries again. */
const patience = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true }
const sessionName = 'turnpike'

export interface AwsMintContext {
  region: string
  /** Unix epoch milliseconds, as in AWS's SDK. */
  now: () => number
}

/**
 * Gets keys from the places where AWS's SDK looks: environment, profile, web identity, container, instance.
 * Each call uses a new provider chain, because the caller caches the keys.
 * @throws {CredentialFailure} no keys were found
 */
export async function mintAwsKeys(
  identity: AwsIdentity,
  { region, now }: AwsMintContext,
): Promise<Minted<AwsKeys>> {
  const found = await providerOf(identity, region)().catch((error: unknown) => {
    throw sourceFailure('aws', error)
  })
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = found
  if (![accessKeyId, secretAccessKey, sessionToken ?? accessKeyId].every(isKey))
    throw new CredentialFailure('the response contains no keys', hintFor('aws', 'garbage'))
  const keys = { accessKeyId, secretAccessKey }
  return {
    value: sessionToken === undefined ? keys : { ...keys, sessionToken },
    livesMs: expiration === undefined ? null : expiration.getTime() - now(),
    source: `AWS: ${sourceOf(found, identity)}`,
  }
}

type KeyProvider = ReturnType<typeof fromNodeProviderChain>

function providerOf(identity: AwsIdentity, region: string): () => ReturnType<KeyProvider> {
  const { roleArn, webIdentityTokenFile } = identity
  const clientConfig = { region, maxAttempts: 1, requestHandler: patience, logger: silent }
  const roleSessionName = identity.sessionName ?? sessionName
  if (webIdentityTokenFile !== undefined)
    return fromTokenFile({ webIdentityTokenFile, roleArn: roleArn!, roleSessionName, clientConfig })
  const own = (): ReturnType<KeyProvider> => chainOf(identity, clientConfig)
  if (roleArn === undefined) return own
  const { externalId } = identity
  const role = fromTemporaryCredentials({
    masterCredentials: own,
    params: {
      RoleArn: roleArn,
      RoleSessionName: roleSessionName,
      ...(externalId !== undefined && { ExternalId: externalId }),
    },
    clientConfig,
  })
  return () => role()
}

function chainOf({ keys, profile }: AwsIdentity, clientConfig: { region: string }): ReturnType<KeyProvider> {
  if (keys !== undefined) return Promise.resolve(keys)
  // Changes to the credential files must take effect.
  const common = { clientConfig, ignoreCache: true, logger: silent }
  // An explicit profile is deliberate: if it does not exist, the machine's role must not be used instead.
  if (profile !== undefined) return fromIni({ ...common, profile })()
  return fromNodeProviderChain({ ...common, timeout: 2_000, maxRetries: 0 })()
}

const nothing = (): void => undefined
/** Without a logger, the SDK would write to the console and so bypass the log that redacts secrets. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

function isKey(text: unknown): boolean {
  return typeof text === 'string' && /^[!-~]+$/.test(text)
}

/** The features by which the SDK notes where it found the keys; the last step comes first. */
const features: readonly [string, string][] = [
  ['CREDENTIALS_STS_ASSUME_ROLE_WEB_ID', 'role by web identity'],
  ['CREDENTIALS_STS_ASSUME_ROLE', 'role'],
  ['CREDENTIALS_SSO', 'single sign-on'],
  ['CREDENTIALS_SSO_LEGACY', 'single sign-on'],
  ['CREDENTIALS_PROCESS', 'a process of the profile'],
  ['CREDENTIALS_HTTP', 'role of the container'],
  ['CREDENTIALS_IMDS', 'role of the instance'],
  ['CREDENTIALS_ENV_VARS', 'environment'],
  ['CREDENTIALS_PROFILE', 'profile'],
]

/** The SDK notes nothing for an assumed role or for an instance. */
function sourceOf(found: object, { roleArn, keys }: AwsIdentity): string {
  const noted = (found as { $source?: Readonly<Record<string, unknown>> }).$source ?? {}
  const name = features.find(([feature]) => feature in noted)?.[1]
  if (roleArn !== undefined) return name ?? 'role'
  return name ?? (keys === undefined ? 'role of the instance' : 'keys')
}
