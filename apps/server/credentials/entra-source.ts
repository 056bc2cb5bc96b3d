import { readFile } from 'node:fs/promises'
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  WorkloadIdentityCredential,
  type ClientSecretCredentialOptions,
  type TokenCredential,
} from '@azure/identity'
import { CredentialFailure, type Minted } from '@turnpike/gateway'
import type { EntraIdentity } from '@turnpike/vendors'
import { hintFor } from './hints.ts'
import { sourceFailure } from './source-failure.ts'

/** The HTTP client that the library uses. */
export type EntraTransport = Pick<ClientSecretCredentialOptions, 'httpClient'>

type Options = ClientSecretCredentialOptions
/** One attempt: the caller retries a failed mint. */
const oneTry: Options = { retryOptions: { maxRetries: 0 } }

/**
 * Gets an access token from Microsoft Entra: for an application by its secret, its certificate or a
 * workload's token, else for this machine's managed identity. For a managed identity, the library caches
 * the token itself and returns it until it is due for renewal.
 * @param transport replaces Microsoft's server, for tests
 * @throws {CredentialFailure} no token was issued
 */
export async function mintEntraToken(
  identity: EntraIdentity,
  signal: AbortSignal,
  transport: EntraTransport = {},
): Promise<Minted<string>> {
  try {
    const { credential, source } = await credentialOf(identity, { ...oneTry, ...transport })
    const { token, expiresOnTimestamp } = (await credential.getToken(identity.scope, {
      abortSignal: signal,
    })) ?? { token: '', expiresOnTimestamp: 0 }
    if (!/^[!-~]+$/.test(token))
      throw new CredentialFailure('the response contains no token', hintFor('entra', 'garbage'))
    return { value: token, livesMs: expiresOnTimestamp - Date.now(), source: `Entra: ${source}` }
  } catch (error) {
    throw sourceFailure('entra', error)
  }
}

async function credentialOf(
  identity: EntraIdentity,
  options: Options,
): Promise<{ credential: TokenCredential; source: string }> {
  const { tenantId, clientId, clientSecret, clientSecretFile, certificateFile, tokenFile } = identity
  if (certificateFile !== undefined) {
    const certificatePath = certificateFile
    const credential = new ClientCertificateCredential(tenantId!, clientId!, { certificatePath }, options)
    return { credential, source: 'certificate' }
  }
  if (tokenFile !== undefined) {
    const own = { tenantId: tenantId!, clientId: clientId!, tokenFilePath: tokenFile }
    return { credential: new WorkloadIdentityCredential({ ...options, ...own }), source: 'workload identity' }
  }
  const secret =
    clientSecretFile === undefined ? clientSecret : (await readFile(clientSecretFile, 'utf8')).trim()
  if (secret !== undefined)
    return {
      credential: new ClientSecretCredential(tenantId!, clientId!, secret, options),
      source: 'client secret',
    }
  const credential = new ManagedIdentityCredential(
    clientId === undefined ? options : { ...options, clientId },
  )
  return { credential, source: 'managed identity' }
}
