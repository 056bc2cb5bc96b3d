import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'
import type { Target } from '../../vendor.ts'

/** Tokens to think for by effort; undefined: as many as the model likes. */
const budgets: Readonly<Record<string, number | undefined>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: undefined,
  max: undefined,
}

/**
 * `thinking` of a model that thinks, which it does unless it is turned off; others know no such word
 * (https://docs.cohere.com/docs/reasoning).
 * @throws {GatewayError} 400 for an effort that nobody knows
 */
export function formatThinking(request: ModelRequest, target: Target): object | undefined {
  const { effort, budgetTokens } = request.reasoning ?? {}
  if (effort !== undefined && effort !== 'none' && !Object.hasOwn(budgets, effort)) {
    const expected = ['none', ...Object.keys(budgets)].join(', ')
    throw invalidRequest('reasoning_effort', `reasoning_effort: expected one of ${expected}.`)
  }
  if (!target.traits.cohere.thinks || (effort === undefined && budgetTokens === undefined)) return undefined
  if (effort === 'none' || budgetTokens === 0) return { type: 'disabled' }
  const budget = budgetTokens ?? effortBudget(effort!, request.maxOutputTokens ?? target.maxOutputTokens)
  return { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) }
}

/** Half of the answer at most: an effort is only a wish, and there must be room to say something. */
function effortBudget(effort: string, maxOutputTokens: number): number | undefined {
  const budget = budgets[effort]
  return budget === undefined ? undefined : Math.max(1, Math.min(budget, Math.floor(maxOutputTokens / 2)))
}

/** All of it is shown; but as long as it is not streamed, nobody has seen any. */
export function mayReasonUnseen(
  { reasoning, stream }: ModelRequest,
  { cohere }: ModelTraits,
  seen: boolean,
): boolean {
  return cohere.thinks && !stream && !seen && reasoning?.effort !== 'none'
}
