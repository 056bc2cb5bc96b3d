import {
  invalidRequest,
  type ModelRequest,
  type OutputFormat,
  type ReasoningOptions,
  type Tool,
  type ToolChoice,
  type UnsupportedFieldsRule,
} from '@turnpike/protocol'
import type { GenerateCall } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { knownChatFields } from '../../requests/fields/known-fields.ts'
import { cacheMark } from '../content-part.ts'
import { parseMessage } from './message.ts'
import { largestOutputBound, requireOneNumber } from './output-bound.ts'
import { chatReferences } from './references.ts'
import { ChatRequestSchema, chatRequestValidator, type ChatRequest } from './request-schema.ts'

/**
 * Parses the body of `POST /v1/chat/completions`.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: unknown): GenerateCall {
  if (!chatRequestValidator.Check(body))
    throw explainMistakes(ChatRequestSchema, firstMistakes(ChatRequestSchema, body))
  return {
    ...callOf(modelRequest(body), body, referencesIn(body, chatReferences)),
    includeUsage: asksForUsage(body),
    unsupportedFields: unsupportedFieldsOf(body),
    tellsReasoning: body.messages.some(hasReasoning),
  }
}

/** OpenAI's field for it, or OpenRouter's: https://openrouter.ai/docs/use-cases/usage-accounting. */
export function asksForUsage({
  stream_options: options,
  usage,
}: Pick<ChatRequest, 'stream_options' | 'usage'>): boolean {
  return options?.include_usage === true || usage?.include === true
}

/** OpenRouter's field for it: https://openrouter.ai/docs/features/provider-routing. */
export function unsupportedFieldsOf({
  provider,
}: Pick<ChatRequest, 'provider'>): UnsupportedFieldsRule | undefined {
  const required = provider?.require_parameters ?? undefined
  if (required === undefined) return undefined
  return required ? 'refuse' : 'drop'
}

/**
 * The neutral request from a checked body.
 * @throws {GatewayError} 400 that names a field which the schema does not check completely
 */
export function modelRequest(body: ChatRequest): ModelRequest {
  requireOneNumber(body)
  const extensions = unknownFieldsOf(body)
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
    maxOutputTokens: largestOutputBound(body),
    choices: body.n ?? 1,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    frequencyPenalty: body.frequency_penalty ?? undefined,
    presencePenalty: body.presence_penalty ?? undefined,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    seed: body.seed ?? undefined,
    logprobs: body.logprobs === true ? { top: body.top_logprobs ?? 0 } : undefined,
    reasoning: parseReasoning(body),
    user: body.user ?? undefined,
    extensions,
  }
}

function unknownFieldsOf(body: Record<string, unknown>): Record<string, unknown> {
  const unspoken: string[] = []
  for (const field in body) if (!knownChatFields.has(field)) unspoken.push(field)
  if (unspoken.length === 0) return {}
  // Uses entries, because assigning to a field called `__proto__` would set the prototype.
  return Object.fromEntries(unspoken.map((field) => [field, body[field]]))
}

function hasReasoning(message: ChatRequest['messages'][number]): boolean {
  return (
    message.reasoning_content !== undefined ||
    message.reasoning_details !== undefined ||
    message.reasoning !== undefined
  )
}

function otherStreamOptions(body: ChatRequest): Record<string, unknown> | undefined {
  if (body.stream_options === null || body.stream_options === undefined) return undefined
  const { include_usage: _ours, ...others } = body.stream_options as Record<string, unknown>
  return Object.keys(others).length === 0 ? undefined : others
}

/**
 * Reads OpenAI's `reasoning_effort` and OpenRouter's `reasoning`, which is more detailed. Turning it on
 * without an amount means a medium effort (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
function parseReasoning({ reasoning, reasoning_effort }: ChatRequest): ReasoningOptions | undefined {
  if ((reasoning ?? reasoning_effort ?? undefined) === undefined) return undefined
  const wish: ReasoningOptions = {}
  if (typeof reasoning_effort === 'string') wish.effort = reasoning_effort
  if (typeof reasoning?.effort === 'string') {
    if (wish.effort !== undefined && wish.effort !== reasoning.effort)
      throw invalidRequest(
        'reasoning.effort',
        'reasoning.effort: expected the same value as reasoning_effort.',
      )
    wish.effort = reasoning.effort
  }
  if (typeof reasoning?.max_tokens === 'number') wish.budgetTokens = reasoning.max_tokens
  if (reasoning?.exclude === true) wish.hidden = true
  if (reasoning?.enabled === false) {
    wish.effort = 'none'
    delete wish.budgetTokens
  } else if (reasoning?.enabled === true && wish.budgetTokens === undefined) wish.effort ??= 'medium'
  return Object.keys(wish).length === 0 ? undefined : wish
}

function parseTool(tool: NonNullable<ChatRequest['tools']>[number]): Tool {
  const declared = tool.function
  if (tool.type !== 'function' || declared === undefined || tellsTypeTwice(tool))
    return { kind: 'raw', value: tool }
  return {
    kind: 'function',
    name: declared.name,
    ...(typeof declared.description === 'string' ? { description: declared.description } : {}),
    ...(declared.parameters === undefined || declared.parameters === null
      ? {}
      : { parameters: declared.parameters }),
    ...(typeof declared.strict === 'boolean' ? { strict: declared.strict } : {}),
    ...cacheMark(tool.cache_control),
  }
}

/** Case-insensitive JSON readers may use the other member. */
function tellsTypeTwice(tool: object): boolean {
  for (const name in tool) if (name !== 'type' && name.toLowerCase() === 'type') return true
  return false
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
