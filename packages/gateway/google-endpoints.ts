import {
  googleArrayCaller,
  googleGenerateCaller,
  modelsPath,
  readModelPath,
  type CallerFormat,
} from '@turnpike/dialects'
import { profileOf } from './auto/profile.ts'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { received } from './context/stages.ts'
import { countedHere } from './count-tokens.ts'
import { describeGoogleModel, listGoogleModels } from './models/list-models.ts'
import { serve } from './pipeline.ts'
import { authenticate } from './steps/authenticate.ts'
import { chooseModel } from './steps/choose-model.ts'
import { parseRequest } from './steps/parse-request.ts'

type Endpoint = (exchange: Exchange, gateway: Gateway) => Promise<void>

/** Every path of Google's own API begins so. */
export const googleVersion = '/v1beta/'

const listPath = '/v1beta/models'

/** As an error tells of them. */
export const googlePaths = [
  listPath,
  `${modelsPath}{model}`,
  `${modelsPath}{model}:generateContent`,
  `${modelsPath}{model}:streamGenerateContent`,
  `${modelsPath}{model}:countTokens`,
]

const list: Record<string, Endpoint> = { GET: listGoogleModels, HEAD: listGoogleModels }
const describe: Record<string, Endpoint> = {
  GET: (exchange, gateway) => describeGoogleModel(exchange, gateway, modelOf(exchange)),
  HEAD: (exchange, gateway) => describeGoogleModel(exchange, gateway, modelOf(exchange)),
}
const generate: Record<string, Endpoint> = {
  POST: (exchange, gateway) => serve(googleGenerateCaller, exchange, gateway),
}
const stream: Record<string, Endpoint> = {
  POST: (exchange, gateway) => serve(streamFormat(exchange), exchange, gateway),
}
const count: Record<string, Endpoint> = { POST: countTokens }

/**
 * What is served at a path of Google's API, by method: the model stands in the path, and behind a colon what
 * is asked of it (https://ai.google.dev/api). Undefined where nothing is.
 */
export function googleEndpoints(path: string): Record<string, Endpoint> | undefined {
  if (path === listPath) return list
  switch (readModelPath(path)?.method) {
    case 'generateContent':
      return generate
    case 'streamGenerateContent':
      return stream
    case 'countTokens':
      return count
    case undefined:
      return path.startsWith(modelsPath) && path !== modelsPath ? describe : undefined
    default:
      return undefined
  }
}

/** Without `alt=sse` a stream is one JSON array. */
function streamFormat({ query }: Exchange): CallerFormat {
  return new URLSearchParams(query).get('alt') === 'sse' ? googleGenerateCaller : googleArrayCaller
}

function modelOf({ path }: Exchange): string {
  return readModelPath(path)?.model ?? ''
}

/** A request to count holds contents, or the whole request that is to be counted. */
const countFormat: CallerFormat = {
  ...googleGenerateCaller,
  bodyExpected: 'a JSON object with contents or generateContentRequest',
  parse: (body, to) => googleGenerateCaller.parse(countedRequest(body), to),
}

function countedRequest(body: object): object {
  const { generateContentRequest: camel, generate_content_request: snake } = body as Record<string, unknown>
  const whole = camel ?? snake
  if (typeof whole !== 'object' || whole === null) return body
  const { model: _inPath, ...request } = whole as Record<string, unknown>
  return request
}

/**
 * `POST …:countTokens` (https://ai.google.dev/api/tokens#method:-models.counttokens): our own count. It is
 * free, and has a limit of its own; no row is kept of it.
 * @throws {GatewayError} 400 naming the field, 401, 403, 404 for an unknown model, 429
 */
async function countTokens(exchange: Exchange, gateway: Gateway): Promise<void> {
  const authenticated = await authenticate(received(exchange, countFormat), gateway)
  const refusal = gateway.limiter.refusalOfCount(authenticated.key)
  if (refusal !== undefined) throw refusal
  const request = await parseRequest(authenticated, gateway)
  // Whether the model is there and may be used: auto-routing would read the whole request for it.
  if (profileOf(gateway.catalog.meant(request.call.request.model)) === undefined)
    chooseModel(request, gateway)
  const totalTokens = await countedHere(request, gateway)
  exchange.respond(200, { 'content-type': 'application/json' }, JSON.stringify({ totalTokens }))
  gateway.observer.tokensCounted?.('gateway')
}
