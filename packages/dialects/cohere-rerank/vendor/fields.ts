import { dropped, passed, translated } from '../../requests/field-table.ts'
import type { RerankFieldTable } from '../../rerank/fields.ts'

/** https://docs.cohere.com/reference/rerank */
export const cohereRerankFields: RerankFieldTable = {
  model: translated('its name at the vendor'),
  query: passed(),
  'documents.text': passed(),
  'documents.object': translated('its `text`, or its JSON if it has more members'),
  rank_fields: translated('documents are reduced to these members'),
  top_n: passed(),
  return_documents: translated('the gateway adds them to the answer'),
  max_tokens_per_doc: passed(),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: passed(),
}
