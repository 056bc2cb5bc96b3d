/** An entry of `GET /v1/models`; prices are USD per token. */
export interface Model {
  id: string
  object: 'model'
  created: number
  owned_by: string
  name?: string
  context_length?: number | null
  max_output_tokens?: number | null
  pricing?: Record<string, unknown>
  operations?: string[]
  modalities?: { input: string[]; output: string[] }
  tiers?: string[]
}

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
] as const
