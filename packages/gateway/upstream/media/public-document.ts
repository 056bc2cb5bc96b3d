import { isIP } from 'node:net'
import { headerText, UpstreamFailure, type UpstreamRequest } from '../client.ts'
import { collected } from '../collected.ts'
import { UndiciUpstreamClient } from '../undici-client.ts'
import { AddressRefused, guardedLookup } from './guarded-lookup.ts'
import { publicInternet, type MediaRules } from './media-fetcher.ts'

/** A small document, as its server sent it. */
export interface PublicDocument {
  status: number
  contentType: string | undefined
  cacheControl: string | undefined
  body: string
}

export interface PublicDocumentRules extends MediaRules {
  /** As in `https:`. */
  protocols: readonly string[]
}

const publicHttps: PublicDocumentRules = { ...publicInternet, protocols: ['https:'] }
const maxBytes = 16 * 1024
const timeouts: UpstreamRequest['timeouts'] = {
  connectMs: 3_000,
  firstByteMs: 3_000,
  idleMs: 3_000,
  totalMs: 5_000,
}
/** One request a client: no connection stays open to a server that a stranger chose. */
const bounds = { connectionsPerOrigin: 1, waitingPerOrigin: 0 }

/**
 * Reads a JSON document at an address that nobody vouches for: on the public internet, without redirects, 16
 * KiB and 5 seconds at most. What its host's name stands for is looked up once, checked, and connected to.
 * @throws {Error} there is no such answer; the message says nothing of the network behind us
 */
export async function readPublicDocument(
  address: string,
  rules: PublicDocumentRules = publicHttps,
): Promise<PublicDocument> {
  const url = URL.parse(address)
  if (url === null || !mayRead(url, rules)) throw new Error(notPublic)
  const client = new UndiciUpstreamClient(
    guardedLookup((found) => rules.allowsAddress(found)),
    bounds,
  )
  try {
    const { status, headers, body } = await collected(client, requestFor(url), maxBytes)
    const text = (name: string): string | undefined => headerText(headers[name])
    return { status, contentType: text('content-type'), cacheControl: text('cache-control'), body }
  } catch (cause) {
    throw new Error(reasonOf(cause as Error), { cause })
  } finally {
    await client.close()
  }
}

const notPublic = 'its host is not on the public internet'

function reasonOf(error: Error): string {
  if (error.cause instanceof AddressRefused) return notPublic
  const late = error instanceof UpstreamFailure && error.reason.endsWith('-timeout')
  return late ? 'its server takes too long' : `its server gave no answer of at most ${maxBytes} bytes`
}

function mayRead(url: URL, rules: PublicDocumentRules): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return (
    rules.protocols.includes(url.protocol) &&
    rules.allowsPort(url.port) &&
    url.username + url.password === '' &&
    (isIP(host) === 0 || rules.allowsAddress(host))
  )
}

function requestFor(url: URL): UpstreamRequest {
  return {
    method: 'GET',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'turnpike/0.1' },
    body: null,
    timeouts,
  }
}
