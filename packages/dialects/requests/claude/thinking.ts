import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../omissions.ts'

/** What is sent of how much the model is to think. */
export interface Thinking {
  thinking?: unknown
  effort?: string
  /** It will think: sampling is then bound. */
  on: boolean
}

/** What else of the request bears on it. */
export interface ThinkingBounds {
  /** Output tokens, thinking included. */
  maxTokens: number
  /** The model has to call a tool, or goes on with calls that it made without thinking. */
  budgetRefused: boolean
}

/** Tokens to think for by effort, for models that know budgets only; above, the vendor advises batches. */
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
 * The caller's wish in the words that the model has; `thinking` in Anthropic's own words goes as it is.
 * @throws {GatewayError} 400 for an effort that nobody knows, or a budget that does not fit
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
  // Newer models show nothing of their thinking unless they are asked to.
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

/** The strongest level that the model has and that is not above the wish. */
function effortOf(wish: string | undefined, model: ClaudeTraits): { effort?: string } {
  if (wish === undefined || wish === 'none') return {}
  const rank = Math.max(0, effortOrder.indexOf(wish))
  const effort = model.efforts.findLast((level) => effortOrder.indexOf(level) <= rank)
  return effort === undefined ? {} : { effort }
}

/** For a model that knows no budgets: the effort that would have been given this one. */
function effortFor(budgetTokens: number): string {
  const enough = Object.entries(budgets).find(([, budget]) => budget >= budgetTokens)
  return enough?.[0] ?? 'max'
}

/** Undefined where the answer is so short that there is no room to think: an effort is only a wish. */
function budgetOf(
  wanted: number | undefined,
  effort: string | undefined,
  maxTokens: number,
): number | undefined {
  if (wanted === undefined) {
    const half = Math.floor(maxTokens / 2)
    const budget = Math.min(budgets[effort ?? 'medium'] ?? budgets['xhigh']!, half)
    return budget < minBudget ? undefined : budget
  }
  if (wanted >= minBudget && wanted < maxTokens) return wanted
  const path = 'reasoning.max_tokens'
  const expected = `expected at least ${minBudget} and less than the output limit of ${maxTokens} tokens`
  throw unsupportedFieldError(path, path, `${path}: ${expected}.`)
}
