import { parseUsd } from '@turnpike/billing'

/**
 * The models of the run by name, with their prices in USD a token: what the books are compared with is
 * reckoned here, apart from the gateway's own arithmetic.
 */
export const models = {
  'vendor/echo': { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025' },
  'vendor/dear/echo': { prompt: '0.000003333333', completion: '0.000017', input_cache_read: '0.0000003' },
  'vendor/thinking/echo': { prompt: '0.000001', completion: '0.00002', input_cache_read: '0.0000001' },
} as const

/** The one that reasons, and does not show it. */
export const thinkingModel: keyof typeof models = 'vendor/thinking/echo'

export interface TokenCounts {
  promptTokens: number
  /** A part of them. */
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
