import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import type { MistralTraits } from '../../model-traits.ts'
import { formatOutput, formatTool, formatToolChoice } from '../../openai-chat/vendor/body.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { selectExtensions, portableTools } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { mistralFields } from './fields.ts'
import { formatMessages } from './messages.ts'
import { withoutUndefined } from '../../json/object.ts'

const maxTemperature = 1.5

/**
 * Writes a request in Mistral's form. Fields of OpenAI's that it does not know are left out, since it answers
 * 422 to each. Fields that neither of them has are passed, and Mistral's errors name them.
 * @throws {GatewayError} 400 for a temperature outside of its bounds, or an unknown effort
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
    // The older of its two names for it, which every deployment accepts.
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

/** `parameters` is required, and a cache mark is refused as an extra field. */
function formatMistralTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return formatTool(tool)
  const { cache: _hint, ...declared } = tool
  return formatTool({ ...declared, parameters: tool.parameters ?? { type: 'object', properties: {} } })
}

/**
 * Mistral's efforts for those of callers (https://docs.mistral.ai/inference/conversations/reasoning). Models
 * answer 422 to any other value than theirs.
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

/** No model has a budget, so a budget only means that the model should think. */
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
