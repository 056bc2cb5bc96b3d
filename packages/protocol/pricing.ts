/**
 * A model's prices as the API and the configuration have them: decimal strings of USD per token (`request`:
 * USD per request, `web_search`: per search, `grounded_prompt`: per answer that used searches, however many,
 * `search_unit`: per search unit of a ranking). An absent price defaults to the plainer one: cache read and
 * write to `prompt`, reasoning, audio and image output to `completion`, audio and image input to `prompt`,
 * cached audio to `input_cache_read` (docs/contract.md, 5.7). Searches and citations without a price cost
 * nothing.
 */
export interface Pricing extends SinglePrices {
  prompt: string
  completion: string
  /** Prices of requests with at least this many input tokens; the highest threshold reached applies. */
  overrides?: PricingOverride[]
  /**
   * Prices of answers in another service tier of the vendor, by its name (`priority`), instead of the plain
   * ones; for long prompts the higher price of both applies.
   */
  service_tiers?: Record<string, SinglePrices>
}

export interface PricingOverride extends SinglePrices {
  min_prompt_tokens: number
}

export type SinglePrices = Partial<Record<PriceName, string>>

/** The names of the single prices, in display order. */
export const priceNames = [
  'prompt',
  'completion',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_1h',
  'internal_reasoning',
  'audio',
  'image',
  'input_audio_cache',
  'audio_output',
  'image_output',
  'web_search',
  'grounded_prompt',
  'citation',
  'search_unit',
  'request',
] as const

export type PriceName = (typeof priceNames)[number]
