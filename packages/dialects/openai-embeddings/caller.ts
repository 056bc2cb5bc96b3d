import type { EmbedCaller } from '../caller.ts'
import { formatEmbeddings } from './caller/answer.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { embeddingsNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { readAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'

/** OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings. */
export const openaiEmbeddingsCaller: EmbedCaller = {
  name: 'openai-embeddings',
  endpoint: 'embeddings',
  operation: 'embed',
  path: '/v1/embeddings',
  idPrefix: 'embd-',
  bodyExpected: 'a JSON object with model and input',
  names: embeddingsNames,
  parse: parseRequest,
  formatEmbeddings,
  formatError,
  errorStatus,
  answerHeaders: () => undefined,
  rateLimitStyle: 'openai',
  passThrough: { headers: [], spliceRequest, readAnswer },
}
