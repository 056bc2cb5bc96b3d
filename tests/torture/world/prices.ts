import { parseUsd } from '@turnpike/billing'

/**
 * The models of the run by name, with their prices in USD per token. The expected costs are computed here,
 * independently of the gateway's own arithmetic.
 */
export const models = {
  'vendor/echo': { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025' },
  'vendor/dear/echo': { prompt: '0.000003333333', completion: '0.000017', input_cache_read: '0.0000003' },
  'vendor/thinking/echo': { prompt: '0.000001', completion: '0.00002', input_cache_read: '0.0000001' },
} as const

/** The model that reasons without showing it. */
export const thinkingModel: keyof typeof models = 'vendor/thinking/echo'

export interface TokenCounts {
  promptTokens: number
  /** Included in the prompt's tokens. */
  cachedTokens: number
  completionTokens: number
}

export function priceOf(model: string, tokens: TokenCounts): bigint {
  const prices = models[model as keyof typeof models]
  const cached = BigInt(tokens.cachedTokens)
  return (
    (BigInt(tokens.promptTokens) - cached) * parseUsd(prices.prompt) +
    cached * parseUsd(prices.input_cache_read) +
    BigInt(tokens.completionTokens) * parseUsd(prices.completion)
  )
}
