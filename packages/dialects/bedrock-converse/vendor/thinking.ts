import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import {
  formatThinking as formatClaudeThinking,
  type ThinkingBounds,
} from '../../requests/claude/thinking.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import type { Target } from '../../vendor.ts'

/** The thinking settings, in the fields of the model's maker. */
export interface Thinking {
  /** Members of `additionalModelRequestFields`. */
  fields: Record<string, unknown>
  /** The model will think, which restricts Claude's sampling. */
  on: boolean
}

/** The effort of these models for each of the callers' efforts, weakest first. */
const levels: Record<string, string> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** @throws {GatewayError} 400 for an unknown effort, or for a budget if the model has none */
export function formatThinking(
  request: ModelRequest,
  { traits }: Pick<Target, 'traits'>,
  bounds: ThinkingBounds,
): Thinking {
  const { thinking: words } = traits.bedrock
  if (words === 'claude') {
    const { thinking, effort, on } = formatClaudeThinking(request, traits.claude, bounds)
    const fields = {
      ...(thinking === undefined ? {} : { thinking }),
      ...(effort === undefined ? {} : { output_config: { effort } }),
    }
    return { fields, on }
  }
  const { extensions, reasoning: wish } = request
  const { thinking: native } = extensions
  if (native !== undefined && native !== null) {
    // An unknown model may well be one of Claude's.
    if (words === 'none') return { fields: { thinking: native }, on: false }
    throw unsupportedFieldError(
      'thinking',
      'thinking',
      'thinking: only Claude models support it. Use reasoning_effort instead.',
    )
  }
  if (wish?.effort !== undefined && !Object.hasOwn(levels, wish.effort)) {
    const expected = Object.keys(levels).join(', ')
    throw invalidRequest('reasoning_effort', `reasoning_effort: expected one of ${expected}.`)
  }
  if (words === 'none' || wish === undefined) return { fields: {}, on: false }
  if (wish.budgetTokens !== undefined && wish.budgetTokens > 0) {
    const path = 'reasoning.max_tokens'
    throw unsupportedFieldError(path, path, `${path}: this model only supports reasoning_effort.`)
  }
  const isOff = wish.effort === 'none' || wish.budgetTokens === 0
  if (wish.effort === undefined && !isOff) return { fields: {}, on: false }
  const level = levels[wish.effort ?? 'none']
  if (words === 'openai') return { fields: { reasoning_effort: level }, on: true }
  if (isOff) return { fields: { reasoningConfig: { type: 'disabled' } }, on: false }
  return { fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } }, on: true }
}
