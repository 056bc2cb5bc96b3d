import type { AnyFieldTable, FieldTable } from '../requests/fields/field-table.ts'

/** Everything that a caller's moderation request may ask for, by OpenAI's names. */
export const moderateFields = [
  'model',
  'input.text',
  'input.image_url',
  'user',
  'metadata',
  /** Any field without a name here. */
  'unknown',
] as const

export type ModerateField = (typeof moderateFields)[number]

export type ModerateFieldTable = FieldTable<ModerateField> & AnyFieldTable
