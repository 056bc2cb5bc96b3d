import {
  dropped,
  passed,
  translated,
  type AnyFieldTable,
  type FieldTable,
} from '../requests/fields/field-table.ts'

/** Everything that a caller's rerank request may ask for, by Cohere's and Jina's names. */
export const rerankFields = [
  'model',
  'query',
  'documents.text',
  'documents.object',
  'rank_fields',
  'top_n',
  'return_documents',
  'max_tokens_per_doc',
  'user',
  'metadata',
  /** Any field without a name here. */
  'unknown',
] as const

export type RerankField = (typeof rerankFields)[number]

export type RerankFieldTable = FieldTable<RerankField> & AnyFieldTable

/** How all vendors treat most fields. */
export const usualRerankFields = {
  model: translated("the model's name at the vendor"),
  query: passed(),
  'documents.object': translated('its `text`, or its JSON where it has more'),
  rank_fields: translated('documents have only these fields'),
  return_documents: translated('the gateway puts them into the answer'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
} satisfies Partial<RerankFieldTable>
