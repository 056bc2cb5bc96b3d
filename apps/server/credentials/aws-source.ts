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

/** Whom the keys are asked of answers soon, or is away; who calls tries again. */
const patience = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true }
const sessionName = 'turnpike'

export interface AwsMintContext {
  region: string
  /** Unix epoch milliseconds, as AWS has them. */
  now: () => number
}

/**
 * Asks for keys where AWS's SDK looks for them: environment, profile, web identity, container, instance. Each
 * time with a chain of its own, as what is kept is kept by who calls.
 * @throws {CredentialFailure} there are none
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
  // Files that were edited count.
  const common = { clientConfig, ignoreCache: true, logger: silent }
  // Who names a profile means it: a name that is not there is no reason to take the machine's role.
  if (profile !== undefined) return fromIni({ ...common, profile })()
  return fromNodeProviderChain({ ...common, timeout: 2_000, maxRetries: 0 })()
}

const nothing = (): void => undefined
/** It writes to the console otherwise, past the log that hides secrets. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

function isKey(text: unknown): boolean {
  return typeof text === 'string' && /^[!-~]+$/.test(text)
}

/** By the feature that the SDK notes of where it found them, the last step first. */
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

/** Of a role that is taken on top, and of an instance, it notes nothing. */
function sourceOf(found: object, { roleArn, keys }: AwsIdentity): string {
  const noted = (found as { $source?: Readonly<Record<string, unknown>> }).$source ?? {}
  const name = features.find(([feature]) => feature in noted)?.[1]
  if (roleArn !== undefined) return name ?? 'role'
  return name ?? (keys === undefined ? 'role of the instance' : 'keys')
}
