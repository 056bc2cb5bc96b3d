import type {
  CacheMark,
  ContentBlock,
  Message,
  ModelRequest,
  ReasoningBlock,
  ReasoningOptions,
  Tool,
  ToolChoice,
} from '@turnpike/protocol'
import { selectExtensions, portableTools } from '../../requests/fields/requested-fields.ts'
import { formatContentBlock } from '../content-part.ts'
import { formatReasoningDetails, type ReasoningDetail } from '../reasoning-details.ts'
import { openaiChatFields } from './fields.ts'
import { withoutUndefined } from '../../json/object.ts'

/** Writes a request in OpenAI's shape, as `parseRequest` reads it. A stream always asks for its usage. */
export function formatBody(request: ModelRequest): Record<string, unknown> {
  const { stream_options: streamOptions } = request.extensions
  const tools = portableTools(request.tools)
  return withoutUndefined({
    model: request.model,
    messages: request.messages.map(formatMessage),
    stream: request.stream ? true : undefined,
    stream_options: request.stream
      ? { ...(streamOptions as object | undefined), include_usage: true }
      : undefined,
    tools: tools.length === 0 ? undefined : tools.map(formatTool),
    tool_choice: request.toolChoice === undefined ? undefined : formatToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    response_format: formatOutput(request),
    max_completion_tokens: request.maxOutputTokens,
    n: request.choices === 1 ? undefined : request.choices,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop: request.stop.length === 0 ? undefined : request.stop,
    seed: request.seed,
    logprobs: request.logprobs === undefined ? undefined : true,
    top_logprobs: request.logprobs?.top,
    ...formatReasoningOptions(request.reasoning),
    user: request.user,
    ...selectExtensions(request, openaiChatFields),
    ...formatTier(request.extensions),
  })
}

/** Anthropic's value for the standard tier only is `default` here. */
function formatTier({ service_tier: tier }: Record<string, unknown>): { service_tier?: string } {
  return tier === 'standard_only' ? { service_tier: 'default' } : {}
}

function formatMessage(message: Message): Record<string, unknown> {
  const name = message.name === undefined ? {} : { name: message.name }
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role: message.role, content: formatContent(message.content), ...name }
    case 'tool':
      if (message.toolCallId === '')
        return { role: 'function', content: formatContent(message.content), ...name }
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: formatContent(message.content),
        ...name,
        ...(message.failed === undefined ? {} : { is_error: message.failed }),
      }
    case 'assistant':
      return { ...formatAssistant(message.content), ...name }
  }
}

/** A single plain text stays a string, as most clients wrote it. */
export function formatContent(blocks: readonly ContentBlock[]): unknown {
  const [only] = blocks
  if (blocks.length === 1 && only?.kind === 'text' && only.cache === undefined) return only.text
  return blocks.map((block) => {
    const part = formatContentBlock(block)
    if (!('cache' in block) || block.cache === undefined) return part
    return { ...(part as object), ...formatCacheMark(block.cache) }
  })
}

/** Anthropic's field, which OpenRouter accepts in OpenAI's parts and tools. */
function formatCacheMark(cache: CacheMark | undefined): object {
  if (cache === undefined) return {}
  const ttl = cache.lifetime === undefined ? {} : { ttl: cache.lifetime }
  return { cache_control: { type: 'ephemeral', ...ttl } }
}

function formatAssistant(blocks: readonly ContentBlock[]): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: null }
  const content: ContentBlock[] = []
  const calls: unknown[] = []
  const reasoning: ReasoningBlock[] = []
  for (const block of blocks) {
    if (block.kind === 'reasoning') reasoning.push(block)
    else if (block.kind === 'refusal') message['refusal'] = block.text
    else if (block.kind === 'raw' && isToolCall(block.value)) calls.push(block.value)
    else if (block.kind !== 'tool-call') content.push(block)
    else if (block.variant === 'legacy-function') {
      message['function_call'] = { name: block.name, arguments: block.arguments }
    } else if (block.variant === 'custom') {
      calls.push({ id: block.id, type: 'custom', custom: { name: block.name, input: block.arguments } })
    } else {
      calls.push(formatToolCall(block))
    }
  }
  Object.assign(message, formatReasoning(reasoning))
  if (content.length > 0) message['content'] = formatContent(content)
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

export function formatToolCall({ id, name, arguments: text }: ToolCallBlock): object {
  return { id, type: 'function', function: { name, arguments: text } }
}

export type ToolCallBlock = Extract<ContentBlock, { kind: 'tool-call' }>

/** Writes plain reasoning as text. Signed or encrypted reasoning goes into details, which repeat the text. */
function formatReasoning(blocks: readonly ReasoningBlock[]): object {
  const details: ReasoningDetail[] = []
  let text = ''
  for (const block of blocks) {
    const { format, id } = block
    const head = { ...(format === undefined ? {} : { format }), ...(id === undefined ? {} : { id }) }
    const own = formatReasoningDetails({ ...block, reasoning: head }, details.length)
    details.push(...own)
    if (own.length === 0) text += block.text
  }
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}

/** OpenAI's field if it can express everything, otherwise OpenRouter's, which also has budgets. */
function formatReasoningOptions(wish: ReasoningOptions | undefined): Record<string, unknown> {
  if (wish === undefined) return {}
  const { budgetTokens, hidden } = wish
  // Anthropic's strongest effort is one above OpenAI's.
  const effort = wish.effort === 'max' ? 'xhigh' : wish.effort
  if (budgetTokens === undefined && hidden === undefined) return { reasoning_effort: effort }
  return { reasoning: withoutUndefined({ effort, max_tokens: budgetTokens, exclude: hidden }) }
}

function isToolCall(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value
}

export function formatTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return tool.value
  const { kind: _kind, cache, extensions: _foreign, ...declared } = tool
  return { type: 'function', function: declared, ...formatCacheMark(cache) }
}

export function formatToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'named') return { type: 'function', function: { name: choice.name } }
  return choice.type === 'raw' ? choice.value : choice.type
}

export function formatOutput(request: ModelRequest): unknown {
  const { output } = request
  switch (output?.type) {
    case undefined:
      return undefined
    case 'text':
      return { type: 'text' }
    case 'json-object':
      return { type: 'json_object' }
    case 'json-schema': {
      const { type: _type, ...schema } = output
      return { type: 'json_schema', json_schema: schema }
    }
  }
}
