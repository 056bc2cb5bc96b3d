import { operationOf, passThroughOf, type VendorFormat } from '@turnpike/dialects'
import type { CatalogModel } from '@turnpike/vendors'
import type { Asking } from '../context/stages.ts'
import type { UpstreamRequest } from '../upstream/client.ts'
import { asksForStream } from './streams.ts'

const userAgent = 'turnpike/0.1'

/** The call to the vendor, as its format and its provider's settings have it. */
export function outboundRequest(asking: Asking, vendorFormat: VendorFormat, body: Buffer): UpstreamRequest {
  const { request, candidate } = asking
  const { exchange, call } = request
  const { provider, apiKey, timeouts } = candidate
  const { origin, path } = addressOf(provider.baseUrl)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: asksForStream(asking, vendorFormat) ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'x-client-request-id': exchange.requestId,
    ...vendorFormat.headers,
    ...provider.headers,
  }
  const passing = passThroughOf(request.format, vendorFormat)
  if (passing !== undefined) forwardHeaders(passing.headers, asking, headers)
  if (apiKey !== undefined) headers[provider.credential.header] = provider.credential.prefix + apiKey
  return {
    method: 'POST',
    origin,
    path: path + pathBehind(asking, vendorFormat),
    headers,
    body,
    streams: call.request.stream,
    timeouts,
  }
}

/** A longer header is none of a client that means well. */
const mostHeaderCharacters = 4_096

/** A beta of Anthropic's: longer prompts, at prices that models with a shorter context do not have here. */
const longContext = 'context-1m'
const longContextTokens = 1_000_000

function withinContext(betas: string, { contextLength }: CatalogModel): string {
  if (contextLength >= longContextTokens) return betas
  return betas
    .split(',')
    .filter((beta) => !beta.trim().startsWith(longContext))
    .join(',')
}

/** What the caller says to a vendor of its own format; what the operator's configuration says goes before. */
function forwardHeaders(
  names: readonly string[],
  { request, candidate }: Asking,
  headers: Record<string, string>,
): void {
  const { exchange } = request
  const { provider, model } = candidate
  for (const name of names) {
    const said = exchange.header(name)
    if (said === undefined || said.length > mostHeaderCharacters) continue
    const value = said.includes(longContext) ? withinContext(said, model) : said
    if (value === '') continue
    if (provider.headers[name] === undefined) headers[name] = value
    else if (name === 'anthropic-beta') headers[name] = `${provider.headers[name]},${value}`
  }
}

/** What stands behind the base URL's own path, query included. */
function pathBehind({ request, candidate }: Asking, vendorFormat: VendorFormat): string {
  const { provider, upstream } = candidate
  const { operation } = request.format
  const own = provider.paths[operation]?.replace('{model}', encodeURIComponent(upstream.model))
  const path =
    request.format.passThrough?.path ??
    own ??
    operationOf(vendorFormat, operation).path(upstream.model, request.call.request.stream)
  if (provider.query === '') return path
  return `${path}${path.includes('?') ? '&' : '?'}${provider.query}`
}

/** Parsed once: providers are few, requests are many. */
const addresses = new Map<string, { origin: string; path: string }>()

function addressOf(baseUrl: string): { origin: string; path: string } {
  let address = addresses.get(baseUrl)
  if (address === undefined) {
    const url = new URL(baseUrl)
    address = { origin: url.origin, path: url.pathname.replace(/\/$/, '') }
    addresses.set(baseUrl, address)
  }
  return address
}
