import { dropped, passed, refused, translated } from '../../requests/field-table.ts'
import type { RerankFieldTable } from '../../rerank/fields.ts'

/** https://docs.voyageai.com/reference/reranker-api */
export const voyageRerankFields: RerankFieldTable = {
  model: translated('its name at the vendor'),
  query: passed(),
  'documents.text': passed('up to 1,000 at once'),
  'documents.object': translated('its `text`, or its JSON if it has more members'),
  rank_fields: translated('documents are reduced to these members'),
  top_n: translated('`top_k`, at most the number of documents'),
  return_documents: translated('the gateway adds them to the answer'),
  max_tokens_per_doc: refused('it has no such bound'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
