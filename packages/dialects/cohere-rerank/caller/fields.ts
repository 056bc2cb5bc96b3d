import { leaves, Names } from '../../json/names.ts'

/** The members of a rerank request that the gateway reads, counts or changes. */
export const rerankNames = new Names({
  ...leaves('model', 'models', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc'),
  ...leaves('rank_fields', 'user', 'stream'),
  metadata: { tags: true, retry_of: true },
})
