import { dollars } from '../decimal.ts'
import { duration } from '../duration.ts'
import type { Completion } from './completion.ts'

/** The line below an answer: `openai/gpt-5-nano · 12 in, 40 out · $0.0000166 · 0.9 s`. */
export function completionFacts(completion: Completion): string {
  const { model, tokensIn, tokensOut, costUsd, totalMs, finishReason } = completion
  const parts = [model]
  if (tokensIn !== null && tokensOut !== null) parts.push(`${tokensIn} in, ${tokensOut} out`)
  if (costUsd !== null) parts.push(dollars(costUsd))
  parts.push(duration(totalMs))
  if (finishReason === 'length') parts.push('cut off at its length')
  return parts.join(' · ')
}
