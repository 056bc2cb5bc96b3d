import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import type { Target } from '../dialect.ts'
import {
  formatOutput,
  formatTool,
  formatToolChoice,
  withoutUndefined,
} from '../openai-chat/format-request.ts'
import { passedExtensions } from '../requested-fields.ts'
import { mistralFields } from './fields.ts'
import { formatMessages } from './format-messages.ts'

const maxTemperature = 1.5

/**
 * A request in Mistral's shape. It is sent nothing that it does not know of OpenAI's, since it answers 422 to
 * each such field; what neither of them knows is passed, and Mistral names it itself.
 * @throws {GatewayError} 400 for a temperature beyond its bounds
 */
export function formatRequest(request: ModelRequest, { model }: Target): Record<string, unknown> {
  const { temperature, toolChoice } = request
  if (temperature !== undefined && temperature > maxTemperature) {
    const expected = `temperature: expected a number from 0 to ${maxTemperature} for this model.`
    throw invalidRequest('temperature', expected)
  }
  return withoutUndefined({
    model,
    messages: formatMessages(request.messages),
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
 * Magistral thinks by its system prompt, which `prompt_mode` puts in or leaves out; the others have an effort
 * (https://docs.mistral.ai/capabilities/reasoning). None of them has a budget: to give one is to want it at
 * all.
 */
function formatReasoning({ reasoning }: ModelRequest, model: string): Record<string, unknown> {
  const effort = reasoning?.effort ?? (reasoning?.budgetTokens === undefined ? undefined : 'high')
  if (effort === undefined) return {}
  if (model.startsWith('magistral')) return { prompt_mode: effort === 'none' ? null : 'reasoning' }
  return { reasoning_effort: effort }
}
