import type { AnyFieldTable, FieldTable } from '../requests/fields/field-table.ts'

/** Everything that a caller's request for a ranking may ask for, by Cohere's and Jina's names. */
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
  /** Any field that has no name here. */
  'unknown',
] as const

export type RerankField = (typeof rerankFields)[number]

export type RerankFieldTable = FieldTable<RerankField> & AnyFieldTable
