import {
  googleArrayCaller,
  googleCounting,
  googleGenerateCaller,
  modelsPath,
  parseModelPath,
  type CallerFormat,
} from '@turnpike/dialects'
import type { Exchange } from './context/exchange.ts'
import type { Gateway } from './context/gateway.ts'
import { countTokens } from './count-tokens.ts'
import { describeModel, listModels } from './models/list-models.ts'
import { serve } from './pipeline.ts'

type Endpoint = (exchange: Exchange, gateway: Gateway) => Promise<void>

const listPath = '/v1beta/models'

/** As error messages list them. */
export const googlePaths = [
  listPath,
  `${modelsPath}{model}`,
  `${modelsPath}{model}:generateContent`,
  `${modelsPath}{model}:streamGenerateContent`,
  `${modelsPath}{model}:countTokens`,
]

const list: Record<string, Endpoint> = { GET: listModels, HEAD: listModels }
const describe: Record<string, Endpoint> = { GET: describeModel, HEAD: describeModel }
const generate: Record<string, Endpoint> = {
  POST: (exchange, gateway) => serve(googleGenerateCaller, exchange, gateway),
}
const stream: Record<string, Endpoint> = {
  POST: (exchange, gateway) => serve(streamFormat(exchange), exchange, gateway),
}
const count: Record<string, Endpoint> = {
  POST: countTokens(googleGenerateCaller, googleCounting),
}

/**
 * The handlers of a path of Google's API, by method. The path names the model and, after a colon, the method
 * to call (https://ai.google.dev/api). Undefined for an unknown path.
 */
export function googleEndpoints(path: string): Record<string, Endpoint> | undefined {
  if (path === listPath) return list
  switch (parseModelPath(path)?.method) {
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

/** Without `alt=sse`, a stream is one JSON array. */
function streamFormat({ query }: Exchange): CallerFormat {
  return new URLSearchParams(query).get('alt') === 'sse' ? googleGenerateCaller : googleArrayCaller
}
