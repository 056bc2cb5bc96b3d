import type { ModelRequest, Tool } from '@turnpike/protocol'
import type { DeepseekTraits } from '../../model-traits.ts'
import { formatOutput, formatTool, formatToolChoice } from '../../openai-chat/vendor/body.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { withInstructedSchema } from '../../requests/schemas/schema-instruction.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { selectExtensions, portableTools } from '../../requests/fields/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { deepseekFields } from './fields.ts'
import { formatMessages, type ReasoningBack } from './messages.ts'
import { withoutUndefined } from '../../json/object.ts'

const maxStops = 16

/**
 * Writes a request in DeepSeek's form.
 * @throws {GatewayError} 400 for more stop sequences than it accepts
 */
export function formatRequest(
  callerRequest: ModelRequest,
  { model, traits }: Target,
): Record<string, unknown> {
  const request = withInstructedSchema(callerRequest)
  const { stop } = request
  const tools = portableTools(request.tools)
  if (stop.length > maxStops)
    throw unsupportedFieldError(
      'stop',
      'stop',
      `stop: expected at most ${maxStops} sequences for this model.`,
      fewer,
    )
  return withoutUndefined({
    model,
    messages: formatMessages(withDocumentsAsText(request.messages), reasoningBack(request, traits.deepseek)),
    stream: request.stream ? true : undefined,
    stream_options: request.stream ? { include_usage: true } : undefined,
    tools: tools.length === 0 ? undefined : tools.map(formatDeepseekTool),
    tool_choice: request.toolChoice && formatToolChoice(request.toolChoice),
    response_format: formatOutput(request),
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop: stop.length === 0 ? undefined : stop,
    logprobs: request.logprobs === undefined ? undefined : true,
    top_logprobs: request.logprobs?.top,
    ...formatReasoning(request),
    ...selectExtensions(request, deepseekFields),
  })
}

function fewer(request: ModelRequest): ModelRequest {
  return { ...request, stop: request.stop.slice(0, maxStops) }
}

function formatDeepseekTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return formatTool(tool)
  const { cache: _hint, ...declared } = tool
  return formatTool(declared)
}

function formatReasoning({ reasoning }: ModelRequest): Record<string, unknown> {
  const effort = reasoning?.effort
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (effort === undefined && reasoning?.budgetTokens === undefined) return {}
  return { thinking: { type: 'enabled' }, reasoning_effort: effort }
}

/**
 * With tools, thinking requires the reasoning of all earlier turns, and a message without its
 * `reasoning_content` is a 400 (https://api-docs.deepseek.com/guides/thinking_mode). Without tools it is
 * ignored, and models before V3.2 refused it.
 */
function reasoningBack(request: ModelRequest, model: DeepseekTraits): ReasoningBack {
  const withTools =
    portableTools(request.tools).length > 0 ||
    request.messages.some(({ content }) => content.some(({ kind }) => kind === 'tool-call'))
  if (!withTools) return 'none'
  return thinks(request, model) ? 'all' : 'given'
}

function thinks({ reasoning, extensions }: ModelRequest, { thinksUnasked }: DeepseekTraits): boolean {
  const { thinking } = extensions
  if (typeof thinking === 'object' && thinking !== null && 'type' in thinking)
    return thinking.type !== 'disabled'
  if (reasoning?.effort !== undefined) return reasoning.effort !== 'none'
  return thinksUnasked || reasoning?.budgetTokens !== undefined
}
