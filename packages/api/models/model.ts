import type { OrOlder } from '../older.ts'
import type { Schemas } from '../schema.ts'

/** An entry of `GET /v1/models`; prices are USD per token. */
export type Model = OrOlder<
  Schemas['Model'],
  Exclude<keyof Schemas['Model'], 'id' | 'object' | 'created' | 'owned_by'>
>

export const modelFields = [
  'id',
  'name',
  'owned_by',
  'created',
  'context_length',
  'max_output_tokens',
  'pricing',
  'limits',
  'operations',
  'modalities',
  'supported_parameters',
  'tiers',
] as const satisfies readonly (keyof Model)[]
