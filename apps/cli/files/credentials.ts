import { join } from 'node:path'
import { corruptFile } from './file-failure.ts'
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts'

const version = 1

/** The result of a login, for one gateway. */
export interface Credentials {
  issuer: string
  client_id: string
  token_endpoint: string
  /** The audience of the access token; absent if the issuer does not support resources. */
  resource?: string
  access_token: string
  refresh_token?: string
  /** Unix epoch seconds; absent if the issuer does not say. */
  expires_at?: number
  /** As it was at the login. */
  account: { id: string; email: string | null }
}

interface CredentialsFile {
  version: typeof version
  /** By the gateway's address, so that no token ever reaches another server. */
  servers: Record<string, Credentials>
}

export function credentialsPath(directory: string): string {
  return join(directory, 'credentials.json')
}

export async function readCredentials(directory: string, apiUrl: string): Promise<Credentials | undefined> {
  return (await readFileOf(directory)).servers[apiUrl]
}

/** The gateways with credentials. */
export async function serversOf(directory: string): Promise<string[]> {
  return Object.keys((await readFileOf(directory)).servers)
}

export async function writeCredentials(
  directory: string,
  apiUrl: string,
  credentials: Credentials,
): Promise<void> {
  const { servers } = await readFileOf(directory)
  await writeFileOf(directory, { version, servers: { ...servers, [apiUrl]: credentials } })
}

/** Removes one gateway's credentials, and the file with the last of them. */
export async function removeCredentials(directory: string, apiUrl: string): Promise<void> {
  const { [apiUrl]: gone, ...servers } = (await readFileOf(directory)).servers
  if (gone === undefined) return
  if (Object.keys(servers).length > 0) await writeFileOf(directory, { version, servers })
  else await removePrivateFile(credentialsPath(directory))
}

async function writeFileOf(directory: string, file: CredentialsFile): Promise<void> {
  await writePrivateFile(credentialsPath(directory), `${JSON.stringify(file, null, 2)}\n`)
}

/** @throws {Failure} with the path, if the file has other content */
async function readFileOf(directory: string): Promise<CredentialsFile> {
  const path = credentialsPath(directory)
  const text = await readPrivateFile(path)
  if (text === undefined) return { version, servers: {} }
  const file = parseJson(text, path)
  if (!isRecord(file) || !isRecord(file.servers)) throw corruptFile(path, 'it lists no servers')
  if (file.version !== version) throw corruptFile(path, `it has version ${String(file.version)}`)
  for (const [server, entry] of Object.entries(file.servers)) {
    if (!isCredentials(entry)) throw corruptFile(path, `the entry of ${server} is incomplete`)
  }
  return file as unknown as CredentialsFile
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw corruptFile(path, 'it is not JSON')
  }
}

const texts = ['issuer', 'client_id', 'token_endpoint', 'access_token'] as const

function isCredentials(entry: unknown): boolean {
  return (
    isRecord(entry) &&
    texts.every((name) => typeof entry[name] === 'string') &&
    ['undefined', 'string'].includes(typeof entry.refresh_token) &&
    ['undefined', 'number'].includes(typeof entry.expires_at) &&
    isRecord(entry.account)
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
