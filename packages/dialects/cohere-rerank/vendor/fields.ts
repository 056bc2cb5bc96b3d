import { dropped, passed, translated } from '../../requests/fields/field-table.ts'
import type { RerankFieldTable } from '../../rerank/fields.ts'

/** https://docs.cohere.com/reference/rerank */
export const cohereRerankFields: RerankFieldTable = {
  model: translated("the model's name at the vendor"),
  query: passed(),
  'documents.text': passed(),
  'documents.object': translated('its `text`, or its JSON where it has more'),
  rank_fields: translated('documents have only these fields'),
  top_n: passed(),
  return_documents: translated('the gateway puts them into the answer'),
  max_tokens_per_doc: passed(),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: passed(),
}
