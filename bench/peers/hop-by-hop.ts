import type { IncomingHttpHeaders } from 'node:http'

/** Headers of one connection, not of the message: RFC 9110, section 7.6.1. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'host',
  'content-length',
  'expect',
])

export function withoutHopByHop(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value
  }
  return kept
}
