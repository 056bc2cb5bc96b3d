/**
 * Prices of a model as they stand on the wire and in the configuration: USD per token (`request`: USD
 * per request, `web_search`: per search, `grounded_prompt`: per answer that rests on searches, however many,
 * `search_unit`: per search unit of a ranking)
 * as decimal strings. A price that is absent is the plainer one: cache read and write `prompt`, reasoning,
 * audio and images out `completion`, audio and image in `prompt`, cached audio `input_cache_read`
 * (docs/contract.md, 5.7). Searches and citations without a price cost nothing.
 */
export interface Pricing extends SinglePrices {
  prompt: string
  completion: string
  /** Prices of requests whose input has at least so many tokens; the highest bound reached holds. */
  overrides?: PricingOverride[]
  /**
   * Prices of answers that the vendor gave in another service tier, by its name (`priority`), in place of the
   * plain ones; of long prompts the dearer one of both holds.
   */
  service_tiers?: Record<string, SinglePrices>
}

export interface PricingOverride extends SinglePrices {
  min_prompt_tokens: number
}

export type SinglePrices = Partial<Record<PriceName, string>>

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
