import { passed, refused, translated } from '../../requests/fields/field-table.ts'
import { usualRerankFields, type RerankFieldTable } from '../../rerank/fields.ts'

/** https://api.jina.ai/redoc */
export const jinaRerankFields: RerankFieldTable = {
  ...usualRerankFields,
  'documents.text': passed(),
  top_n: translated('no more than there are documents'),
  max_tokens_per_doc: refused('it has no such bound'),
  unknown: passed(),
}
