import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Names for the local machine or network (RFC 6761, RFC 6762, RFC 8375, and by convention). */
const ownNames = new RegExp(
  String.raw`(?:^|\.)(?:localhost|local|internal|lan|home|corp|intranet|private|localdomain|` +
    String.raw`home\.arpa|svc|consul|test|invalid)$`,
)
/** Services whose names resolve to the address written in them, or to the local machine. */
const addressNames = new RegExp(
  String.raw`(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|` +
    String.raw`traefik\.me|1u\.ms|rbndr\.us)$`,
)

/**
 * Whether a vendor may be given an address to fetch: it might be a server of the operator's own, whose
 * network callers must not reach through the vendor. Only the name itself is checked; the vendor resolves it.
 */
export function isPublicWebAddress(address: string): boolean {
  // An address that parsers disagree on may be one place for us and another for the vendor.
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(address)) return false
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return isPublicHost(url.hostname)
}

function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !ownNames.test(host) && !addressNames.test(host)
}
