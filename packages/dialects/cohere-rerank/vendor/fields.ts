import { passed } from '../../requests/fields/field-table.ts'
import { usualRerankFields, type RerankFieldTable } from '../../rerank/fields.ts'

/** https://docs.cohere.com/reference/rerank */
export const cohereRerankFields: RerankFieldTable = {
  ...usualRerankFields,
  'documents.text': passed(),
  top_n: passed(),
  max_tokens_per_doc: passed(),
  unknown: passed(),
}
