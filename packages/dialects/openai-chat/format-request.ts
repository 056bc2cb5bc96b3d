import type { ContentBlock, Message, ModelRequest, Tool, ToolChoice } from '@turnpike/protocol'
import { formatContentBlock } from './content-part.ts'

/** A request in OpenAI's shape: what `parseRequest` reads. A stream always asks for its usage. */
export function formatRequest(request: ModelRequest): Record<string, unknown> {
  const { stream_options: streamOptions, ...extensions } = request.extensions
  return withoutUndefined({
    model: request.model,
    messages: request.messages.map(formatMessage),
    stream: request.stream ? true : undefined,
    stream_options: request.stream
      ? { ...(streamOptions as object | undefined), include_usage: true }
      : undefined,
    tools: request.tools.length === 0 ? undefined : request.tools.map(formatTool),
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
    reasoning_effort: request.reasoning?.effort,
    user: request.user,
    ...extensions,
  })
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
      }
    case 'assistant':
      return { ...formatAssistant(message.content), ...name }
  }
}

/** One plain text stays a string, as most clients wrote it. */
function formatContent(blocks: readonly ContentBlock[]): unknown {
  const [only] = blocks
  if (blocks.length === 1 && only?.kind === 'text') return only.text
  return blocks.map(formatContentBlock)
}

function formatAssistant(blocks: readonly ContentBlock[]): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: null }
  const content: ContentBlock[] = []
  const calls: unknown[] = []
  for (const block of blocks) {
    if (block.kind === 'reasoning') message['reasoning_content'] = block.text
    else if (block.kind === 'refusal') message['refusal'] = block.text
    else if (block.kind === 'raw' && isToolCall(block.value)) calls.push(block.value)
    else if (block.kind !== 'tool-call') content.push(block)
    else if (block.variant === 'legacy-function') {
      message['function_call'] = { name: block.name, arguments: block.arguments }
    } else if (block.variant === 'custom') {
      calls.push({ id: block.id, type: 'custom', custom: { name: block.name, input: block.arguments } })
    } else {
      calls.push({
        id: block.id,
        type: 'function',
        function: { name: block.name, arguments: block.arguments },
      })
    }
  }
  if (content.length > 0) message['content'] = formatContent(content)
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

function isToolCall(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value
}

function formatTool(tool: Tool): unknown {
  if (tool.kind === 'raw') return tool.value
  const { kind: _kind, ...declared } = tool
  return { type: 'function', function: declared }
}

function formatToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'named') return { type: 'function', function: { name: choice.name } }
  return choice.type === 'raw' ? choice.value : choice.type
}

function formatOutput(request: ModelRequest): unknown {
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

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
