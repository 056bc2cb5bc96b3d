import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../omissions.ts'

/** The fields that set how much the model thinks. */
export interface Thinking {
  thinking?: unknown
  effort?: string
  /** The model will think, which restricts sampling. */
  on: boolean
}

/** Other parts of the request that affect thinking. */
export interface ThinkingBounds {
  /** Output tokens, including thinking. */
  maxTokens: number
  /** The model must call a tool, or continues with calls that it made without thinking. */
  budgetRefused: boolean
}

/** Thinking tokens by effort, for models with budgets only. Beyond these, the vendor advises batches. */
const budgets: Record<string, number> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_000,
}

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
const minBudget = 1_024

const effortOrder = ['low', 'medium', 'high', 'xhigh', 'max']

/**
 * Writes the caller's reasoning settings in the fields that the model has. `thinking` in Anthropic's own form
 * passes unchanged.
 * @throws {GatewayError} 400 for an unknown effort, or a budget that does not fit
 */
export function formatThinking(request: ModelRequest, model: ClaudeTraits, bounds: ThinkingBounds): Thinking {
  const native = request.extensions['thinking']
  const wish = request.reasoning
  const effort = wish?.effort === undefined ? undefined : requireKnownEffort(wish.effort)
  if (native !== undefined && native !== null) {
    const on = (native as { type?: unknown }).type !== 'disabled'
    return { thinking: native, on, ...effortOf(effort, model) }
  }
  if (wish === undefined || (effort === undefined && wish.budgetTokens === undefined)) return { on: false }
  if (effort === 'none' || wish.budgetTokens === 0) return withoutThinking(model)
  if (model.thinking === 'none') return { on: false }
  const display = wish.hidden === true ? { display: 'omitted' } : {}
  if (model.thinking === 'budget' || (model.thinking === 'either' && wish.budgetTokens !== undefined)) {
    const budget = bounds.budgetRefused ? undefined : budgetOf(wish.budgetTokens, effort, bounds.maxTokens)
    if (budget === undefined) return { on: false }
    return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, on: true }
  }
  // Newer models show their thinking only on request.
  const shown = { type: 'adaptive', display: 'summarized', ...display }
  return { thinking: shown, on: true, ...effortOf(effort ?? effortFor(wish.budgetTokens ?? 0), model) }
}

function requireKnownEffort(effort: string): string {
  if (effort in budgets || effort === 'max' || effort === 'none') return effort
  const expected = ['none', ...Object.keys(budgets), 'max'].join(', ')
  throw invalidRequest('reasoning_effort', `reasoning_effort: expected one of ${expected}.`)
}

function withoutThinking(model: ClaudeTraits): Thinking {
  switch (model.thinkingOff) {
    case 'absent':
      return { on: false }
    case 'disabled':
    case 'between_tools':
      return { thinking: { type: model.thinkingOff }, on: false }
    case 'never':
      return { on: false, ...effortOf('low', model) }
  }
}

/** The strongest level that the model has and that is not above the requested one. */
function effortOf(wish: string | undefined, model: ClaudeTraits): { effort?: string } {
  if (wish === undefined || wish === 'none') return {}
  const rank = Math.max(0, effortOrder.indexOf(wish))
  const effort = model.efforts.findLast((level) => effortOrder.indexOf(level) <= rank)
  return effort === undefined ? {} : { effort }
}

/** The effort whose budget this would be, for a model without budgets. */
function effortFor(budgetTokens: number): string {
  const enough = Object.entries(budgets).find(([, budget]) => budget >= budgetTokens)
  return enough?.[0] ?? 'max'
}

/** Undefined if the answer is too short to leave room for thinking: an effort is only a hint. */
function budgetOf(
  requestedBudget: number | undefined,
  effort: string | undefined,
  maxTokens: number,
): number | undefined {
  if (requestedBudget === undefined) {
    const half = Math.floor(maxTokens / 2)
    const budget = Math.min(budgets[effort ?? 'medium'] ?? budgets['xhigh']!, half)
    return budget < minBudget ? undefined : budget
  }
  if (requestedBudget >= minBudget && requestedBudget < maxTokens) return requestedBudget
  const path = 'reasoning.max_tokens'
  const expected = `expected at least ${minBudget} and less than the output limit of ${maxTokens} tokens`
  throw unsupportedFieldError(path, path, `${path}: ${expected}.`)
}
