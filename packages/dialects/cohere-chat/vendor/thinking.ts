import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../../model-traits.ts'
import type { Target } from '../../vendor.ts'

/** Thinking budgets in tokens by effort. Undefined: no limit. */
const budgets: Readonly<Record<string, number | undefined>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: undefined,
  max: undefined,
}

/**
 * Writes `thinking` for a model that thinks, which it does unless that is turned off. Other models do not
 * have the field (https://docs.cohere.com/docs/reasoning).
 * @throws {GatewayError} 400 for an unknown effort
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

/** At most half of the answer: an effort is only a hint, and the answer needs room for text. */
function effortBudget(effort: string, maxOutputTokens: number): number | undefined {
  const budget = budgets[effort]
  return budget === undefined ? undefined : Math.max(1, Math.min(budget, Math.floor(maxOutputTokens / 2)))
}

/** All thinking is shown, but nothing has been seen before it is streamed. */
export function mayReasonUnseen(
  { reasoning, stream }: ModelRequest,
  { cohere }: ModelTraits,
  seen: boolean,
): boolean {
  return cohere.thinks && !stream && !seen && reasoning?.effort !== 'none'
}
