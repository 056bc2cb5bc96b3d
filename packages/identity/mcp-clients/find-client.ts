import { errors, type ClientMetadata } from 'oidc-provider'
import { ClientUnreachable, isDocumentAddress, type ClientDocuments } from './client-documents.ts'
import { ClientRefused, providerClient, type McpClient } from './client-metadata.ts'
import { readClientId } from './registered-client.ts'

export interface McpClientSources {
  /** A kind that is not allowed is unknown, even if it was accepted before. */
  allowed: { documents: boolean; registration: boolean }
  documents: ClientDocuments
  /** Secrets that sign registrations, newest first. */
  secrets: readonly string[]
  /** The network of the current request. */
  network: () => string
}

/**
 * The app with this identifier; undefined if there is none.
 * @throws {errors.InvalidClient} if its document does not describe an acceptable app
 * @throws {errors.TemporarilyUnavailable} if its document cannot be read now
 */
export async function findMcpClient(
  id: string,
  { allowed, documents, secrets, network }: McpClientSources,
): Promise<ClientMetadata | undefined> {
  if (!isDocumentAddress(id))
    return allowed.registration ? toProvider(id, readClientId(id, secrets)) : undefined
  if (!allowed.documents) return undefined
  try {
    return toProvider(id, await documents.find(id, network()))
  } catch (error) {
    if (error instanceof ClientRefused) throw new errors.InvalidClient(error.message)
    if (error instanceof ClientUnreachable) throw new errors.TemporarilyUnavailable(error.message)
    throw error
  }
}

function toProvider(id: string, client: McpClient | undefined): ClientMetadata | undefined {
  return client === undefined ? undefined : providerClient(id, client)
}
