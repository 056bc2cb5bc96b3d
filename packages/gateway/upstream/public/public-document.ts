import { headerText, type UpstreamRequest } from '../client.ts'
import { publicInternet } from '../media/media-fetcher.ts'
import { sendPublic, type PublicRules } from './public-request.ts'

/** A small document, as its server sent it. */
export interface PublicDocument {
  status: number
  contentType: string | undefined
  cacheControl: string | undefined
  body: string
}

const publicHttps: PublicRules = { ...publicInternet, protocols: ['https:'] }
const maxBytes = 16 * 1024
const timeouts: UpstreamRequest['timeouts'] = {
  connectMs: 3_000,
  firstByteMs: 3_000,
  idleMs: 3_000,
  totalMs: 5_000,
}
const fixedParts = {
  method: 'GET',
  headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'turnpike/0.1' },
  body: null,
} as const

/**
 * Reads a JSON document from an untrusted address: on the public internet, without redirects, at most 16 KiB
 * and 5 seconds.
 * @throws {Error} if that fails; the message reveals nothing about the network behind us
 */
export async function readPublicDocument(
  address: string,
  rules: PublicRules = publicHttps,
): Promise<PublicDocument> {
  const request = { ...fixedParts, timeouts, maxBytes, beyond: 'refuse' } as const
  const { status, headers, body } = await sendPublic(address, request, rules)
  const text = (name: string): string | undefined => headerText(headers[name])
  return { status, contentType: text('content-type'), cacheControl: text('cache-control'), body }
}
