import type { GenerateCaller, GeneratePassThrough, TokenCounting } from '../caller.ts'
import { parseAddress } from './caller/address.ts'
import { formatResponse } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { fieldPath } from './caller/field-path.ts'
import { generateNames } from './caller/fields.ts'
import { ArrayFraming } from './caller/framing.ts'
import { requestToCount, parseRequest } from './caller/request.ts'
import { GenerateEncoder } from './caller/stream.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { GenerateStreamBridge } from './pass-through/stream.ts'

/** https://ai.google.dev/api/tokens#method:-models.counttokens, with the gateway's own count. */
export const googleCounting: TokenCounting = {
  path: '/v1beta/models/{model}:countTokens',
  bodyExpected: 'a JSON object with contents or generateContentRequest',
  parse: (body, to) => parseRequest(requestToCount(body), to),
  formatCount: (totalTokens) => ({ totalTokens }),
}

const passThrough: GeneratePassThrough = {
  headers: [],
  conversation: ['contents'],
  spliceRequest,
  openStream: (head, listener) => new GenerateStreamBridge(head, listener),
  patchAnswer,
}

/**
 * Google's native API for Gemini: https://ai.google.dev/api/generate-content. Its streams are server-sent
 * events.
 */
export const googleGenerateCaller: GenerateCaller = {
  name: 'google-generate',
  endpoint: 'generate_content',
  operation: 'generate',
  path: '/v1beta/models/{model}:generateContent',
  idPrefix: 'gen_',
  bodyExpected: 'a JSON object with contents',
  names: generateNames,
  parseAddress,
  parse: parseRequest,
  fieldPath,
  streams: {
    encoder: (head) => new GenerateEncoder(head),
    type: 'text/event-stream; charset=utf-8',
    // Not a comment: Google's own clients in Python and Go would read one as an answer.
    keepAlive: '\r\n\r\n',
  },
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  counting: googleCounting,
  passThrough,
}

/** The same for callers without `alt=sse`: their streams are one JSON array. */
export const googleArrayCaller: GenerateCaller = {
  ...googleGenerateCaller,
  streams: {
    encoder: (head) => new GenerateEncoder(head, new ArrayFraming()),
    type: 'application/json; charset=utf-8',
    keepAlive: '\r\n',
  },
  passThrough: {
    ...passThrough,
    openStream: (head, listener) => new GenerateStreamBridge(head, listener, new ArrayFraming()),
  },
}

export { isGooglePath, parseModelPath, modelsPath, type ModelPath } from './caller/address.ts'
