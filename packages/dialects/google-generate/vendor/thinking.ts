import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import { isObject } from './json-object.ts'
import { thirdGeneration, versionOf } from './model-version.ts'

/** https://ai.google.dev/api/generate-content#ThinkingConfig */
interface ThinkingConfig {
  includeThoughts?: boolean
  thinkingBudget?: number
  thinkingLevel?: string
}

/** What a caller may say, by what it means from the third generation on. */
const levels: Record<string, string> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/**
 * As Google's own compatible endpoint (https://ai.google.dev/gemini-api/docs/openai#thinking) understands
 * it.
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
 * How much to think: in levels from the third generation on, by a budget of tokens in Gemini 2.5; older
 * ones do not think. Undefined where the caller does not say, which leaves it to the model.
 * @throws {GatewayError} 400 for a wish that nobody knows
 */
export function formatThinking(request: ModelRequest, model: string): ThinkingConfig | undefined {
  const { effort, budgetTokens, hidden } = wishOf(request)
  if (effort !== undefined && !Object.hasOwn(levels, effort)) {
    const known = Object.keys(levels).join(', ')
    throw invalidRequest('reasoning_effort', `reasoning_effort: expected one of ${known}.`)
  }
  const version = versionOf(model)
  if (version < 2.5 || (effort === undefined && budgetTokens === undefined)) return undefined
  const thoughts = effort === 'none' || hidden === true ? {} : { includeThoughts: true }
  if (budgetTokens !== undefined && effort !== 'none')
    return { thinkingBudget: within(budgetTokens, model), ...thoughts }
  if (version < thirdGeneration)
    return { thinkingBudget: leastThinking(budgets[effort!]!, model), ...thoughts }
  return { thinkingLevel: levelOf(levels[effort!]!, version, model), ...thoughts }
}

/** `thinking` is how Anthropic's and DeepSeek's clients say it. */
function wishOf({ reasoning, extensions }: ModelRequest): NonNullable<ModelRequest['reasoning']> {
  const { thinking } = extensions
  if (thinking === null || thinking === undefined) return reasoning ?? {}
  if (!isObject(thinking))
    throw invalidRequest('thinking', 'thinking: expected an object such as {"type": "enabled"}.')
  if (thinking['type'] === 'disabled') return { effort: 'none', ...reasoning }
  const budget = thinking['budget_tokens']
  const said = typeof budget === 'number' ? { budgetTokens: budget } : { effort: 'medium' }
  return thinking['type'] === 'enabled' && reasoning?.effort === undefined
    ? { ...said, ...reasoning }
    : (reasoning ?? {})
}

const isPro = (model: string): boolean => model.includes('-pro')
const isLite = (model: string): boolean => model.includes('-flash-lite')

/**
 * The nearest level that a model has: none can be turned off, those that are Pro and Flash from 3.7 on have
 * no `MINIMAL`, and 3 Pro had no `MEDIUM` (https://ai.google.dev/gemini-api/docs/thinking#thinking-levels).
 */
function levelOf(level: string, version: number, model: string): string {
  if (level === 'MINIMAL') {
    const minimal = isLite(model) || (model.includes('-flash') && version < 3.7)
    return minimal ? level : 'LOW'
  }
  return level === 'MEDIUM' && isPro(model) && version === 3 ? 'HIGH' : level
}

/** https://ai.google.dev/gemini-api/docs/thinking#set-budget: 2.5 Pro thinks at least a little. */
function leastThinking(budget: number, model: string): number {
  return budget === 0 && isPro(model) ? 128 : within(budget, model)
}

/** A budget is a bound: where the model's own is lower, that one holds. */
function within(budget: number, model: string): number {
  return Math.min(budget, isPro(model) || versionOf(model) >= thirdGeneration ? 32_768 : 24_576)
}
