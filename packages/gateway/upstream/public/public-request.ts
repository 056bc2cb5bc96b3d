import { isIP, type LookupFunction } from 'node:net'
import { UpstreamFailure, type UpstreamRequest } from '../client.ts'
import { collectAnswer, type CollectedAnswer } from '../collect-answer.ts'
import { AddressRefused, guardedLookup } from '../media/guarded-lookup.ts'
import type { MediaRules } from '../media/media-fetcher.ts'
import { UndiciUpstreamClient } from '../undici-client.ts'

/** Where a server with an untrusted address may be. */
export interface PublicRules extends MediaRules {
  /** As in `https:`. */
  protocols: readonly string[]
  /** `address:port` of the name servers to query; absent: the system's. */
  nameServers?: readonly string[]
}

export interface PublicRequest extends Pick<UpstreamRequest, 'method' | 'headers' | 'body' | 'timeouts'> {
  maxBytes: number
  /** What happens to a longer response: it is rejected, or truncated. */
  beyond: 'refuse' | 'cut'
}

/** All that may be revealed about a host that is not allowed: not the address it resolves to. */
export const notPublic = 'its host is not on the public internet'

/** One request per client: no connection to an untrusted server stays open. */
const bounds = { connectionsPerOrigin: 1, waitingPerOrigin: 0 }

/**
 * Calls a server with an untrusted address: one request, without redirects. Its host's name is looked up
 * once, checked, and connected to.
 * @throws {Error} if it may not be called, or did not respond
 */
export async function sendPublic(
  address: string,
  { maxBytes, beyond, ...request }: PublicRequest,
  rules: PublicRules,
): Promise<CollectedAnswer> {
  const url = requireAllowedUrl(address, rules)
  const client = new UndiciUpstreamClient(lookupFor(rules), bounds)
  const target = { origin: url.origin, path: url.pathname + url.search }
  try {
    return await collectAnswer(client, { ...request, ...target }, maxBytes, beyond)
  } catch (cause) {
    const longest = beyond === 'refuse' ? ` of at most ${maxBytes} bytes` : ''
    throw new Error(reasonOf(cause as Error, longest), { cause })
  } finally {
    await client.close()
  }
}

/**
 * Checks whether it could be called now: looks its name up, without a connection.
 * @throws {Error} as `sendPublic`
 */
export async function requirePublic(address: string, rules: PublicRules): Promise<void> {
  const { hostname } = requireAllowedUrl(address, rules)
  if (isIP(withoutBrackets(hostname)) !== 0) return
  await new Promise<void>((resolve, reject) => {
    lookupFor(rules)(hostname, { all: true }, (error) => {
      if (error === null) return resolve()
      const reason = error instanceof AddressRefused ? notPublic : 'its host name was not found'
      reject(new Error(reason, { cause: error }))
    })
  })
}

function lookupFor(rules: PublicRules): LookupFunction {
  return guardedLookup((found) => rules.allowsAddress(found), rules.nameServers)
}

/** A host that is an address needs no look-up, so it is checked here. */
function requireAllowedUrl(address: string, rules: PublicRules): URL {
  const url = URL.parse(address)
  if (url === null) throw new Error(notPublic)
  const host = withoutBrackets(url.hostname)
  const isAllowed =
    rules.protocols.includes(url.protocol) &&
    rules.allowsPort(url.port) &&
    url.username + url.password === '' &&
    (isIP(host) === 0 || rules.allowsAddress(host))
  if (!isAllowed) throw new Error(notPublic)
  return url
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function reasonOf(error: Error, longest: string): string {
  if (error.cause instanceof AddressRefused) return notPublic
  const late = error instanceof UpstreamFailure && error.reason.endsWith('-timeout')
  return late ? 'its server takes too long to respond' : `its server gave no response${longest}`
}
