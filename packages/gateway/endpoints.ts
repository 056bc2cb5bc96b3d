import {
  anthropicMessagesCaller,
  callerFormats,
  googleGenerateCaller,
  isGooglePath,
  openaiChatCaller,
  type CallerFormat,
} from '@turnpike/dialects'
import { GatewayError, toGatewayError } from '@turnpike/protocol'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { countTokens } from './count-tokens.ts'
import { googleEndpoints, googlePaths } from './google-endpoints.ts'
import { keptEndpoints, keptPaths } from './kept-endpoints.ts'
import { isAnthropicClient } from './models/anthropic-models.ts'
import { describeModel, listModels } from './models/list-models.ts'
import { serve } from './pipeline.ts'
import { sendError } from './steps/send-response.ts'

type Endpoint = (exchange: Exchange, gateway: Gateway) => Promise<void>

/** The compatible API: each path's handler, by method. For HEAD, the `Exchange` omits the body. */
const endpoints: Record<string, Record<string, Endpoint>> = {
  '/v1/models': { GET: listModels, HEAD: listModels },
}
for (const format of callerFormats.flatMap((one) => [one, ...(one.further ?? [])])) {
  const { path, counting } = format
  endpoints[path] = { POST: (exchange, gateway) => serve(format, exchange, gateway) }
  if (counting !== undefined) endpoints[counting.path] = { POST: countTokens(format, counting) }
}

/** Model identifiers contain slashes, so everything after the prefix is one identifier. */
const modelPrefix = '/v1/models/'
const modelEndpoints: Record<string, Endpoint> = { GET: describeModel, HEAD: describeModel }

/** Serves one request to `/v1/*`. Never rejects. Not `async`: its state would live as long as a stream. */
export function serveCompatible(exchange: Exchange, gateway: Gateway): Promise<void> {
  const refuse = (thrown: unknown): void => {
    const error = toGatewayError(thrown)
    if (error.status === 500)
      gateway.log.error({ requestId: exchange.requestId, detail: error.detail }, error.message)
    sendError(exchange, formatOf(exchange), error)
  }
  try {
    return endpointOf(exchange)(exchange, gateway).catch(refuse)
  } catch (thrown) {
    refuse(thrown)
    return Promise.resolve()
  }
}

/** The envelope of errors. If no format serves the path: OpenAI's, or Anthropic's for its clients. */
function formatOf(exchange: Exchange): CallerFormat {
  const { path } = exchange
  if (isGooglePath(path)) return googleGenerateCaller
  const own = callerFormats.find((format) => path === format.path || path.startsWith(`${format.path}/`))
  const isAnthropics = isAnthropicClient((name) => exchange.header(name))
  return own ?? (isAnthropics ? anthropicMessagesCaller : openaiChatCaller)
}

function endpointOf(exchange: Exchange): Endpoint {
  const { path, method } = exchange
  const methods =
    endpoints[path] ??
    googleEndpoints(path) ??
    keptEndpoints(path) ??
    (path.startsWith(modelPrefix) ? modelEndpoints : undefined)
  if (methods === undefined) throw nothingAt(path)
  const endpoint = methods[method]
  if (endpoint !== undefined) return endpoint
  if (exchange.header('upgrade')?.toLowerCase() === 'websocket') throw noWebSocket(path)
  const allow = Object.keys(methods).join(', ')
  throw new GatewayError('invalid_request_error', `${shortenPath(path)} accepts ${allow}, not ${method}.`, {
    status: 405,
    headers: { allow },
  })
}

/** Resources that other servers store and this one does not, by the beginning of their paths. */
const unkept: Record<string, string> = {
  '/v1/conversations':
    'This gateway does not store conversations. Send the whole conversation as input to POST /v1/responses.',
}

function nothingAt(path: string): GatewayError {
  for (const begin in unkept)
    if (path.startsWith(begin)) return new GatewayError('not_found_error', unkept[begin]!)
  const all = new Set([...Object.keys(endpoints), `${modelPrefix}{id}`, ...googlePaths, ...keptPaths])
  const known = [...all].toSorted().join(', ')
  return new GatewayError(
    'not_found_error',
    `Nothing is served at ${shortenPath(path)}. The paths are ${known}.`,
  )
}

/** This status makes Codex switch to its other transport at once. */
function noWebSocket(path: string): GatewayError {
  const message = `${shortenPath(path)} does not support WebSocket. Use POST and read the event stream.`
  return new GatewayError('invalid_request_error', message, { status: 426 })
}

function shortenPath(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}
