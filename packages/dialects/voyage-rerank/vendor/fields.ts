import { passed, refused, translated } from '../../requests/fields/field-table.ts'
import { usualRerankFields, type RerankFieldTable } from '../../rerank/fields.ts'

/** https://docs.voyageai.com/reference/reranker-api */
export const voyageRerankFields: RerankFieldTable = {
  ...usualRerankFields,
  'documents.text': passed('1,000 at once'),
  top_n: translated('`top_k`, no more than there are documents'),
  max_tokens_per_doc: refused('it has no such bound'),
  unknown: refused('it has no such field'),
}
