import {
  dropped,
  refused,
  translated,
  type AnyFieldTable,
  type FieldTable,
} from '../requests/fields/field-table.ts'

/** Everything that a caller's embedding request may ask for, by OpenAI's names. */
export const embedFields = [
  'model',
  'input.array',
  'input.tokens',
  'dimensions',
  'encoding_format.float',
  'encoding_format.base64',
  'input_type',
  'user',
  'metadata',
  /** Any field without a name here. */
  'unknown',
] as const

export type EmbedField = (typeof embedFields)[number]

export type EmbedFieldTable = FieldTable<EmbedField> & AnyFieldTable

/** How most fields are treated by vendors with a format of their own. */
export const usualEmbedFields = {
  model: translated("the model's name at the vendor"),
  'input.tokens': refused('it reads texts alone'),
  'encoding_format.base64': translated('the numbers are converted to base64'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
} satisfies Partial<EmbedFieldTable>
