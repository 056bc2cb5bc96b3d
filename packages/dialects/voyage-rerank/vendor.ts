import { jinaRerank } from '../jina-rerank/vendor.ts'
import type { RerankFormat } from '../vendor.ts'
import { decode } from './vendor/answer.ts'
import { voyageRerankFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Voyage's rerank API: https://docs.voyageai.com/reference/reranker-api. */
export const voyageRerank: RerankFormat = {
  ...jinaRerank,
  name: 'voyage-rerank',
  operations: {
    rerank: { ...jinaRerank.operations.rerank, fields: voyageRerankFields, formatRequest, decode },
  },
}
