/**
 * Prices of a model as they stand on the wire and in the configuration: USD per token (`request`: USD
 * per request) as decimal strings. A price that is absent is the plainer one: cache read and write
 * `prompt`, reasoning `completion`, audio and image `prompt` (contract, section 5).
 */
export interface Pricing {
  prompt: string
  completion: string
  input_cache_read?: string
  input_cache_write?: string
  input_cache_write_1h?: string
  internal_reasoning?: string
  audio?: string
  image?: string
  request?: string
  /** Prices of requests whose input has at least so many tokens; the highest bound reached holds. */
  overrides?: PricingOverride[]
}

export interface PricingOverride extends Partial<Omit<Pricing, 'overrides'>> {
  min_prompt_tokens: number
}

/** The names of single prices, in the order in which they are shown. */
export const priceNames = [
  'prompt',
  'completion',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_1h',
  'internal_reasoning',
  'audio',
  'image',
  'request',
] as const

export type PriceName = (typeof priceNames)[number]
