import type { RerankRequest } from '@turnpike/protocol'
import { flatFieldRules } from '../requests/fields/flat-field-rules.ts'
import { rerankFields } from './fields.ts'

const words = flatFieldRules<RerankRequest>({
  fields: rerankFields,
  omittable: { max_tokens_per_doc: 'maxTokensPerDocument' },
  visit({ documents, rankFields, topN, returnDocuments, maxTokensPerDocument }, tell) {
    tell('model', () => 'model')
    tell('query', () => 'query')
    if (documents.some((one) => typeof one === 'string')) tell('documents.text', () => 'documents')
    const object = documents.findIndex((one) => typeof one !== 'string')
    if (object !== -1) tell('documents.object', () => `documents[${object}]`)
    if (rankFields !== undefined) tell('rank_fields', () => 'rank_fields')
    if (topN !== undefined) tell('top_n', () => 'top_n')
    if (returnDocuments) tell('return_documents', () => 'return_documents')
    if (maxTokensPerDocument !== undefined) tell('max_tokens_per_doc', () => 'max_tokens_per_doc')
  },
})

/**
 * The field rules of rerank requests. A field that limits the vendor's bill, and therefore the hold, is
 * either sent or the request is refused.
 */
export const rerankWords: typeof words = {
  ...words,
  mayBeLeftOut: (member, request) => member !== 'max_tokens_per_doc' && words.mayBeLeftOut(member, request),
}
