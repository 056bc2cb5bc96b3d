import { errors, type ClientMetadata } from 'oidc-provider'
import { ClientUnreachable, isDocumentAddress, type ClientDocuments } from './client-documents.ts'
import { ClientRefused, providerClient, type McpClient } from './client-metadata.ts'
import { readClientId } from './registered-client.ts'

export interface McpClientSources {
  /** What is not is unknown, also where it was known before. */
  allowed: { documents: boolean; registration: boolean }
  documents: ClientDocuments
  /** By which registrations were signed, the newest first. */
  secrets: readonly string[]
  /** Of who asks at the moment. */
  network: () => string
}

/**
 * The app of an identifier; undefined where there is none.
 * @throws {errors.InvalidClient} its document is none of such an app
 * @throws {errors.TemporarilyUnavailable} its document cannot be read now
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
