import { Throttle } from '../embedded-provider/throttles/throttle.ts'
import { ClientRefused, readClient, type McpClient } from './client-metadata.ts'

/** The response of an untrusted server. */
export interface ClientDocument {
  status: number
  contentType: string | undefined
  cacheControl: string | undefined
  body: string
}

/**
 * Reads a document from an address that a stranger chose: only from the public internet, over https, without
 * redirects, limited in size and time.
 * @throws {Error} if there was no response; its message reveals nothing about the network behind us
 */
export type ReadClientDocument = (address: string) => Promise<ClientDocument>

/** The document cannot be read now. */
export class ClientUnreachable extends Error {
  override readonly name = 'ClientUnreachable'
}

export interface ClientDocumentsOptions {
  read: ReadClientDocument
  ownOrigins: readonly string[]
  /** Unix epoch milliseconds. */
  clock: () => number
}

interface Known {
  client: McpClient
  freshUntilMs: number
  /** Until then the cached document stays valid if its server does not respond. */
  keptUntilMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const maxKnown = 500
/** Limits reads of addresses that are not cached, by the network that sends them. */
const readsPerNetwork = { limit: 20, windowMs: 10 * minuteMs }
const maxReadsAtOnce = 20
/** Keeps slow servers of one network from delaying the others. */
const maxReadsOfNetwork = 3
const failedForMs = minuteMs
const fresh = { leastMs: 5 * minuteMs, usualMs: hourMs, mostMs: dayMs }
const maxAddressLength = 512

/**
 * Clients whose identifier is the address of a document about them
 * (https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-02.html).
 */
export class ClientDocuments {
  readonly #options: ClientDocumentsOptions
  readonly #known = new Map<string, Known>()
  readonly #failed = new Map<string, { error: Error; untilMs: number }>()
  readonly #reading = new Map<string, { network: string; client: Promise<McpClient> }>()
  readonly #reads: Throttle

  constructor(options: ClientDocumentsOptions) {
    this.#options = options
    this.#reads = new Throttle(readsPerNetwork.limit, readsPerNetwork.windowMs, options.clock)
  }

  /**
   * @param network the network that sends the address
   * @throws {ClientRefused} if it is not a document of an acceptable client
   * @throws {ClientUnreachable}
   */
  async find(address: string, network: string): Promise<McpClient> {
    requireAddress(address)
    const nowMs = this.#options.clock()
    const known = this.#known.get(address)
    if (known !== undefined && nowMs < known.freshUntilMs) return known.client
    try {
      return await this.#readOnce(address, network, nowMs)
    } catch (error) {
      if (error instanceof ClientUnreachable && known !== undefined && nowMs < known.keptUntilMs)
        return known.client
      throw error
    }
  }

  /** Simultaneous callers share one read; a failed read is not repeated for a while. */
  #readOnce(address: string, network: string, nowMs: number): Promise<McpClient> {
    const under = this.#reading.get(address)
    if (under !== undefined) return under.client
    const failed = this.#failed.get(address)
    if (failed !== undefined && nowMs < failed.untilMs) return Promise.reject(failed.error)
    if (this.#isBusy(network) || this.#reads.take(network) > 0)
      return Promise.reject(new ClientUnreachable('too many client_id URLs are being read'))
    const client = this.#read(address, nowMs)
      .catch((error: unknown) => {
        keep(this.#failed, address, { error: error as Error, untilMs: nowMs + failedForMs })
        throw error
      })
      .finally(() => this.#reading.delete(address))
    this.#reading.set(address, { network, client })
    return client
  }

  #isBusy(network: string): boolean {
    const own = [...this.#reading.values()].filter((one) => one.network === network)
    return own.length >= maxReadsOfNetwork || this.#reading.size >= maxReadsAtOnce
  }

  async #read(address: string, nowMs: number): Promise<McpClient> {
    const { read, ownOrigins } = this.#options
    const document = await read(address).catch((cause: unknown) => {
      throw new ClientUnreachable(`client_id: ${(cause as Error).message}`, { cause })
    })
    if (document.status >= 500 || document.status === 429)
      throw new ClientUnreachable(`client_id: its server returned status ${document.status}`)
    const client = readClient(metadataOf(document, address), ownOrigins)
    const freshForMs = freshTimeOf(document.cacheControl)
    keep(this.#known, address, {
      client,
      freshUntilMs: nowMs + freshForMs,
      keptUntilMs: nowMs + freshForMs + dayMs,
    })
    return client
  }
}

/** Whether an identifier has the form of a document's address. */
export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith('https://')
}

/** The address must be in its canonical form, with a path and nothing behind it (draft, section 3). */
function requireAddress(address: string): void {
  const url = address.length <= maxAddressLength ? URL.parse(address) : null
  const isOne =
    url?.protocol === 'https:' &&
    url.href === address &&
    url.pathname !== '/' &&
    url.username + url.password + url.search + url.hash === ''
  if (!isOne || /[?#@]/.test(address))
    throw invalidClientId(
      `expected an https URL of at most ${maxAddressLength} characters, with a path and no query`,
    )
}

function metadataOf({ status, contentType, body }: ClientDocument, address: string): Record<string, unknown> {
  if (status !== 200) throw invalidClientId(`its server answered with status ${status}`)
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? ''))
    throw invalidClientId('its document is not JSON')
  const metadata = parseDocument(body)
  if (metadata['client_id'] !== address) throw invalidClientId('its document names another client_id')
  const method = metadata['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none' || 'client_secret' in metadata)
    throw invalidClientId('expected a public client: token_endpoint_auth_method none')
  return metadata
}

function parseDocument(body: string): Record<string, unknown> {
  try {
    const value = JSON.parse(body) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw invalidClientId('its document is not a JSON object')
}

function invalidClientId(reason: string): ClientRefused {
  return new ClientRefused('invalid_client_metadata', `client_id: ${reason}.`)
}

function freshTimeOf(cacheControl: string | undefined): number {
  const [, seconds] = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(cacheControl ?? '') ?? []
  const toldMs = seconds === undefined ? fresh.usualMs : Number(seconds) * 1000
  return Math.min(fresh.mostMs, Math.max(fresh.leastMs, toldMs))
}

/** The oldest entry makes room for the newest. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  if (map.size >= maxKnown) for (const oldest of map.keys()) if (map.delete(oldest)) break
  map.set(key, value)
}
