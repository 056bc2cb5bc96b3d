import type { RerankCaller } from '../caller.ts'
import { formatRanking } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { rerankNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'

/** Cohere's rerank API with Jina's additions: https://docs.cohere.com/reference/rerank. */
export const cohereRerankCaller: RerankCaller = {
  name: 'cohere-rerank',
  endpoint: 'rerank',
  operation: 'rerank',
  path: '/v1/rerank',
  idPrefix: 'rrk-',
  bodyExpected: 'a JSON object with model, query and documents',
  names: rerankNames,
  parse: parseRequest,
  formatRanking,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  passThrough: { headers: [], spliceRequest, patchAnswer },
}
