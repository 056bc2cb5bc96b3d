import { Names } from '../../json/names.ts'

/** The members of a request for a ranking that the gateway reads, or counts, or changes. */
export const rerankNames = new Names({
  model: true,
  models: true,
  query: true,
  documents: true,
  top_n: true,
  return_documents: true,
  max_tokens_per_doc: true,
  rank_fields: true,
  user: true,
  stream: true,
  metadata: { tags: true, retry_of: true },
})
