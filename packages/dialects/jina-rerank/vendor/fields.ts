import { dropped, passed, refused, translated } from '../../requests/fields/field-table.ts'
import type { RerankFieldTable } from '../../rerank/fields.ts'

/** https://api.jina.ai/redoc */
export const jinaRerankFields: RerankFieldTable = {
  model: translated("the model's name at the vendor"),
  query: passed(),
  'documents.text': passed(),
  'documents.object': translated('its `text`, or its JSON where it has more'),
  rank_fields: translated('documents have only these fields'),
  top_n: translated('no more than there are documents'),
  return_documents: translated('the gateway puts them into the answer'),
  max_tokens_per_doc: refused('it has no such bound'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: passed(),
}
