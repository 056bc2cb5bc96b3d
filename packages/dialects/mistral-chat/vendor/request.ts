import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import {
  formatOutput,
  formatTool,
  formatToolChoice,
  withoutUndefined,
} from '../../openai-chat/vendor/body.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { passedExtensions } from '../../requests/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { mistralFields } from './fields.ts'
import { formatMessages } from './messages.ts'

const maxTemperature = 1.5

/**
 * A request in Mistral's shape. It is sent nothing that it does not know of OpenAI's, since it answers 422 to
 * each such field; what neither of them knows is passed, and Mistral names it itself.
 * @throws {GatewayError} 400 for a temperature beyond its bounds, or an effort that nobody knows
 */
export function formatRequest(request: ModelRequest, { model }: Target): Record<string, unknown> {
  const { temperature, toolChoice } = request
  if (temperature !== undefined && temperature > maxTemperature) {
    const expected = `temperature: expected a number from 0 to ${maxTemperature} for this model.`
    throw invalidRequest('temperature', expected)
  }
  return withoutUndefined({
    model,
    messages: formatMessages(withDocumentsAsText(request.messages)),
    stream: request.stream ? true : undefined,
    tools: request.tools.length === 0 ? undefined : request.tools.map(formatMistralTool),
    // The older of its two words for it, which every deployment knows.
    tool_choice: toolChoice?.type === 'required' ? 'any' : toolChoice && formatToolChoice(toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    response_format: formatOutput(request),
    max_tokens: request.maxOutputTokens,
    n: request.choices === 1 ? undefined : request.choices,
    temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop: request.stop.length === 0 ? undefined : request.stop,
    random_seed: request.seed,
    ...formatReasoning(request, model),
    ...passedExtensions(request, mistralFields),
  })
}

/** `parameters` is required, and a cache mark a field too many. */
function formatMistralTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return formatTool(tool)
  const { cache: _hint, ...declared } = tool
  return formatTool({ ...declared, parameters: tool.parameters ?? { type: 'object', properties: {} } })
}

/**
 * Efforts by what a caller may say: Small and Medium think or do not, Large has steps between
 * (https://docs.mistral.ai/inference/conversations/reasoning). They answer 422 to any other word.
 */
const efforts: Record<string, { large: string; others: string }> = {
  none: { large: 'none', others: 'none' },
  minimal: { large: 'low', others: 'none' },
  low: { large: 'low', others: 'high' },
  medium: { large: 'medium', others: 'high' },
  high: { large: 'high', others: 'high' },
  xhigh: { large: 'high', others: 'high' },
  max: { large: 'high', others: 'high' },
}

/**
 * Magistral thinks by its system prompt, which `prompt_mode` puts in or leaves out; the others have an
 * effort. None of them has a budget: to give one is to want it at all.
 */
function formatReasoning({ reasoning }: ModelRequest, model: string): Record<string, unknown> {
  const effort = reasoning?.effort ?? (reasoning?.budgetTokens === undefined ? undefined : 'high')
  if (effort === undefined) return {}
  if (!Object.hasOwn(efforts, effort)) {
    const expected = `reasoning_effort: expected one of ${Object.keys(efforts).join(', ')}.`
    throw invalidRequest('reasoning_effort', expected)
  }
  if (model.startsWith('magistral')) return { prompt_mode: effort === 'none' ? null : 'reasoning' }
  const { large, others } = efforts[effort]!
  return { reasoning_effort: model.startsWith('mistral-large') ? large : others }
}
