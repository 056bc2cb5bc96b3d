import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { thinkingLevels, type GeminiTraits, type ThinkingLevel } from '../../model-traits.ts'

/** https://ai.google.dev/api/generate-content#ThinkingConfig */
interface ThinkingConfig {
  includeThoughts?: boolean
  thinkingBudget?: number
  thinkingLevel?: string
}

/** The efforts that a caller may request, and the levels from the third generation on. */
const levels: Record<string, ThinkingLevel> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/**
 * Thinking budgets by effort, as in Google's own compatible endpoint
 * (https://ai.google.dev/gemini-api/docs/openai#thinking).
 */
const budgets: Record<string, number> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/**
 * Writes the thinking settings: levels from the third generation on, a budget of tokens for Gemini 2.5. Older
 * models do not think. Undefined if the caller sets nothing, which leaves it to the model.
 * @throws {GatewayError} 400 for an unknown effort
 */
export function formatThinking(request: ModelRequest, model: GeminiTraits): ThinkingConfig | undefined {
  const { effort, budgetTokens, hidden } = reasoningOptionsOf(request)
  if (effort !== undefined && !Object.hasOwn(levels, effort)) {
    const known = Object.keys(levels).join(', ')
    throw invalidRequest('reasoning_effort', `reasoning_effort: expected one of ${known}.`)
  }
  if (model.thinking === 'none' || (effort === undefined && budgetTokens === undefined)) return undefined
  const thoughts = effort === 'none' || hidden === true ? {} : { includeThoughts: true }
  if (budgetTokens !== undefined && effort !== 'none')
    return { thinkingBudget: Math.min(budgetTokens, model.budget.most), ...thoughts }
  if (model.thinking === 'budget') return { thinkingBudget: within(budgets[effort!]!, model), ...thoughts }
  return { thinkingLevel: levelOf(levels[effort!]!, model), ...thoughts }
}

/** `thinking` is the field of Anthropic's and DeepSeek's clients. */
function reasoningOptionsOf({ reasoning, extensions }: ModelRequest): NonNullable<ModelRequest['reasoning']> {
  const { thinking } = extensions
  if (thinking === null || thinking === undefined) return reasoning ?? {}
  if (!isObject(thinking))
    throw invalidRequest('thinking', 'thinking: expected an object such as {"type": "enabled"}.')
  if (thinking['type'] === 'disabled') return { effort: 'none', ...reasoning }
  const budget = thinking['budget_tokens']
  const options = typeof budget === 'number' ? { budgetTokens: budget } : { effort: 'medium' }
  return thinking['type'] === 'enabled' && reasoning?.effort === undefined
    ? { ...options, ...reasoning }
    : (reasoning ?? {})
}

/** The nearest level that a model has, from the requested one upwards. */
function levelOf(wish: ThinkingLevel, { levels: known }: GeminiTraits): ThinkingLevel {
  const rank = thinkingLevels.indexOf(wish)
  return known.find((level) => thinkingLevels.indexOf(level) >= rank) ?? wish
}

/** A budget is a bound. If the model's own is lower, that one applies. */
function within(budget: number, { budget: { least, most } }: GeminiTraits): number {
  return Math.min(Math.max(budget, least), most)
}
