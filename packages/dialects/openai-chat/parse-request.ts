import type { ContentBlock, Message, ModelRequest, OutputFormat, Tool, ToolChoice } from '@turnpike/protocol'
import { explainMistakes } from '../json/explain.ts'
import { parseContentPart, type ContentPart } from './content-part.ts'
import {
  ChatRequestSchema,
  chatRequestValidator,
  type ChatMessage,
  type ChatRequest,
} from './request-schema.ts'

/** Fields that have a word of ours; every other one travels in `extensions`. */
const spokenFields = new Set([
  'model',
  'models',
  'messages',
  'metadata',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
  'logprobs',
  'top_logprobs',
  'user',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
])

/** What the gateway itself reads of a chat request, beside what the model gets. */
export interface ParsedChatRequest {
  request: ModelRequest
  /** Models to try after `model`. */
  fallbackModels: string[]
  /** `metadata.tags`, as sent. */
  tags: string[]
  /** The caller asked for the usage chunk. */
  includeUsage: boolean
}

/**
 * The body of `POST /v1/chat/completions` in our words.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: unknown): ParsedChatRequest {
  if (!chatRequestValidator.Check(body))
    throw explainMistakes(ChatRequestSchema, chatRequestValidator.Errors(body))
  return {
    request: modelRequest(body),
    fallbackModels: body.models ?? [],
    tags: body.metadata?.tags ?? [],
    includeUsage: body.stream_options?.include_usage === true,
  }
}

function modelRequest(body: ChatRequest): ModelRequest {
  // Made of entries, since assigning to a field called `__proto__` would do something else.
  const unspoken = Object.entries(body).filter(([field]) => !spokenFields.has(field))
  const extensions: Record<string, unknown> = Object.fromEntries(unspoken)
  const streamOptions = otherStreamOptions(body)
  if (streamOptions !== undefined) extensions['stream_options'] = streamOptions
  return {
    model: body.model,
    messages: body.messages.map(parseMessage),
    stream: body.stream === true,
    tools: (body.tools ?? []).map(parseTool),
    toolChoice: parseToolChoice(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    output: parseOutputFormat(body.response_format),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    choices: body.n ?? 1,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    frequencyPenalty: body.frequency_penalty ?? undefined,
    presencePenalty: body.presence_penalty ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    seed: body.seed ?? undefined,
    logprobs: body.logprobs === true ? { top: body.top_logprobs ?? 0 } : undefined,
    reasoning: typeof body.reasoning_effort === 'string' ? { effort: body.reasoning_effort } : undefined,
    user: body.user ?? undefined,
    extensions,
  }
}

function otherStreamOptions(body: ChatRequest): Record<string, unknown> | undefined {
  if (body.stream_options === null || body.stream_options === undefined) return undefined
  const { include_usage: _ours, ...others } = body.stream_options as Record<string, unknown>
  return Object.keys(others).length === 0 ? undefined : others
}

function parseMessage(message: ChatMessage, index: number): Message {
  const path = `messages[${index}]`
  const content = parseContent(message.content, path)
  const name = typeof message.name === 'string' ? { name: message.name } : {}
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role: message.role, content, ...name }
    case 'tool':
    case 'function':
      // A result of the deprecated functions names its function where a tool's names its call.
      return { role: 'tool', content, toolCallId: message.tool_call_id ?? '', ...name }
    case 'assistant':
      return {
        role: 'assistant',
        content: [...reasoningOf(message), ...content, ...toolCallsOf(message)],
        ...name,
      }
  }
}

function parseContent(content: ChatMessage['content'], path: string): ContentBlock[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return content.map((part, index) => parseContentPart(part as ContentPart, `${path}.content[${index}]`))
}

function reasoningOf(message: ChatMessage): ContentBlock[] {
  const { reasoning_content: reasoning, refusal } = message as {
    reasoning_content?: unknown
    refusal?: unknown
  }
  const blocks: ContentBlock[] = []
  if (typeof reasoning === 'string' && reasoning !== '') blocks.push({ kind: 'reasoning', text: reasoning })
  if (typeof refusal === 'string') blocks.push({ kind: 'refusal', text: refusal })
  return blocks
}

function toolCallsOf(message: ChatMessage): ContentBlock[] {
  const blocks: ContentBlock[] = []
  for (const call of message.tool_calls ?? []) {
    const custom = (call as { custom?: { name?: unknown; input?: unknown } }).custom
    if (call.function !== undefined) {
      const { name, arguments: text } = call.function
      blocks.push({ kind: 'tool-call', id: call.id ?? '', name, arguments: text ?? '', variant: 'function' })
    } else if (typeof custom?.name === 'string' && typeof custom.input === 'string') {
      blocks.push({
        kind: 'tool-call',
        id: call.id ?? '',
        name: custom.name,
        arguments: custom.input,
        variant: 'custom',
      })
    } else {
      blocks.push({ kind: 'raw', value: call })
    }
  }
  const legacy = (message as { function_call?: { name?: unknown; arguments?: unknown } | null }).function_call
  if (typeof legacy?.name === 'string' && typeof legacy.arguments === 'string') {
    blocks.push({
      kind: 'tool-call',
      id: '',
      name: legacy.name,
      arguments: legacy.arguments,
      variant: 'legacy-function',
    })
  }
  return blocks
}

function parseTool(tool: NonNullable<ChatRequest['tools']>[number]): Tool {
  const declared = tool.function
  if (tool.type !== 'function' || declared === undefined) return { kind: 'raw', value: tool }
  return {
    kind: 'function',
    name: declared.name,
    ...(typeof declared.description === 'string' ? { description: declared.description } : {}),
    ...(declared.parameters === undefined || declared.parameters === null
      ? {}
      : { parameters: declared.parameters }),
    ...(typeof declared.strict === 'boolean' ? { strict: declared.strict } : {}),
  }
}

function parseToolChoice(choice: ChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === null || choice === undefined) return undefined
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { type: choice }
  const named = (choice as { type?: unknown; function?: { name?: unknown } }).function?.name
  return typeof named === 'string' ? { type: 'named', name: named } : { type: 'raw', value: choice }
}

function parseOutputFormat(format: ChatRequest['response_format']): OutputFormat | undefined {
  if (format === null || format === undefined) return undefined
  if (format.type === 'json_object') return { type: 'json-object' }
  if (format.type === 'json_schema' && format.json_schema) {
    const { name, schema, ...rest } = format.json_schema as Record<string, unknown>
    return {
      type: 'json-schema',
      name: name as string,
      schema: schema ?? {},
      ...(typeof rest['strict'] === 'boolean' ? { strict: rest['strict'] } : {}),
      ...(typeof rest['description'] === 'string' ? { description: rest['description'] } : {}),
    }
  }
  return { type: 'text' }
}
