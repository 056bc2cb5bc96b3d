import type { AnyFieldTable, FieldTable } from '../requests/fields/field-table.ts'

/** Everything that a caller's request for vectors may ask for, by OpenAI's names. */
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
  /** Any field that has no name here. */
  'unknown',
] as const

export type EmbedField = (typeof embedFields)[number]

export type EmbedFieldTable = FieldTable<EmbedField> & AnyFieldTable
