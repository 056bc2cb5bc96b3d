import type { Completion } from '../../api/completion.ts'
import { dollars } from '../../terminal/decimal.ts'
import type { Style } from '../../terminal/style.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { duration } from '../../terminal/time.ts'

export interface ChatSettings {
  apiKey: string
  model: string
  system: string | undefined
  maxTokens: number | undefined
  tags: string[]
}

/** An answer as JSON. */
export function turnRecord(completion: Completion): Record<string, unknown> {
  return {
    model: completion.model,
    content: completion.content,
    finish_reason: completion.finishReason,
    tokens_in: completion.tokensIn,
    tokens_out: completion.tokensOut,
    cost_usd: completion.costUsd,
    time_to_first_token_ms: completion.firstTokenMs,
    latency_ms: completion.totalMs,
    request_id: completion.requestId,
  }
}

/** The line below an answer: `openai/gpt-5-nano · 12 in, 40 out · $0.0000166 · 0.9 s`. */
export function turnFacts(completion: Completion, style: Pick<Style, 'dim'>): string {
  const { model, tokensIn, tokensOut, costUsd, totalMs, finishReason } = completion
  const parts = [oneLine(model)]
  if (tokensIn !== null && tokensOut !== null) parts.push(`${tokensIn} in, ${tokensOut} out`)
  if (costUsd !== null) parts.push(dollars(costUsd))
  parts.push(duration(totalMs))
  if (finishReason === 'length') parts.push('cut off at its length')
  return style.dim(parts.join(' · '))
}
