import type { RerankFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { decodeError } from './vendor/errors.ts'
import { jinaRerankFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/**
 * Jina's rerank API, which vLLM, Infinity and Together adopted: https://api.jina.ai/redoc,
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#re-rank-api.
 */
export const jinaRerank: RerankFormat = {
  name: 'jina-rerank',
  readsAddress: () => false,
  operations: {
    rerank: { fields: jinaRerankFields, unit: 'token', path: () => '/rerank', formatRequest, decode },
  },
  decodeError,
}
