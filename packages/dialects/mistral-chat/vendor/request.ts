import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import type { MistralTraits } from '../../model-traits.ts'
import {
  formatOutput,
  formatTool,
  formatToolChoice,
  withoutUndefined,
} from '../../openai-chat/vendor/body.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { selectExtensions, portableTools } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { mistralFields } from './fields.ts'
import { formatMessages } from './messages.ts'

const maxTemperature = 1.5

/**
 * A request in Mistral's shape. It is sent nothing that it does not know of OpenAI's, since it answers 422 to
 * each such field; what neither of them knows is passed, and Mistral names it itself.
 * @throws {GatewayError} 400 for a temperature beyond its bounds, or an effort that nobody knows
 */
export function formatRequest(request: ModelRequest, { model, traits }: Target): Record<string, unknown> {
  const { temperature, toolChoice } = request
  const tools = portableTools(request.tools)
  if (temperature !== undefined && temperature > maxTemperature) {
    const expected = `temperature: expected a number from 0 to ${maxTemperature} for this model.`
    throw unsupportedFieldError('temperature', 'temperature', expected)
  }
  return withoutUndefined({
    model,
    messages: formatMessages(withDocumentsAsText(request.messages)),
    stream: request.stream ? true : undefined,
    tools: tools.length === 0 ? undefined : tools.map(formatMistralTool),
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
    ...formatReasoning(request, traits.mistral),
    ...selectExtensions(request, mistralFields),
  })
}

/** `parameters` is required, and a cache mark a field too many. */
function formatMistralTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return formatTool(tool)
  const { cache: _hint, ...declared } = tool
  return formatTool({ ...declared, parameters: tool.parameters ?? { type: 'object', properties: {} } })
}

/**
 * Efforts by what a caller may say (https://docs.mistral.ai/inference/conversations/reasoning). Models answer
 * 422 to any other word than theirs.
 */
const efforts: Record<string, { steps: string; onOrOff: string }> = {
  none: { steps: 'none', onOrOff: 'none' },
  minimal: { steps: 'low', onOrOff: 'none' },
  low: { steps: 'low', onOrOff: 'high' },
  medium: { steps: 'medium', onOrOff: 'high' },
  high: { steps: 'high', onOrOff: 'high' },
  xhigh: { steps: 'high', onOrOff: 'high' },
  max: { steps: 'high', onOrOff: 'high' },
}

/** None of the models has a budget: to give one is to want it to think at all. */
function formatReasoning({ reasoning }: ModelRequest, { thinking }: MistralTraits): Record<string, unknown> {
  const effort = reasoning?.effort ?? (reasoning?.budgetTokens === undefined ? undefined : 'high')
  if (effort === undefined) return {}
  if (!Object.hasOwn(efforts, effort)) {
    const expected = `reasoning_effort: expected one of ${Object.keys(efforts).join(', ')}.`
    throw invalidRequest('reasoning_effort', expected)
  }
  if (thinking === 'prompt-mode') return { prompt_mode: effort === 'none' ? null : 'reasoning' }
  const { steps, onOrOff } = efforts[effort]!
  return { reasoning_effort: thinking === 'steps' ? steps : onOrOff }
}
