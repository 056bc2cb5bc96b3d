import { GatewayError, invalidRequest, type Message, type ModelRequest } from '@turnpike/protocol'
import type { GenerateCall } from '../../call.ts'
import { dottedPath, explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { outputBoundFields } from '../../requests/output-bounds.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { knownChatFields } from '../../requests/fields/known-fields.ts'
import { refuseMarks } from './cache-marks.ts'
import { refuseImages } from './images.ts'
import { messagesReferences } from './references.ts'
import { MessagesRequestSchema, messagesRequestValidator, type MessagesRequest } from './request-schema.ts'
import { addUnknownFields, parseOutput, parseThinking } from './thinking.ts'
import { parseTools, parseToolChoice } from './tools.ts'
import { addTurn, parseSystem, type OpenCalls } from './turn.ts'

/** Fields that `ModelRequest` has; every other field travels in `extensions`. */
const knownFields: ReadonlySet<string> = new Set([
  'model',
  'models',
  'messages',
  'max_tokens',
  'system',
  'stream',
  'metadata',
  'temperature',
  'top_p',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
])

/**
 * Parses the body of `POST /v1/messages`.
 * @throws {GatewayError} 400 that names the first wrong field as Anthropic does: `messages.2.content.0.id`
 */
export function parseRequest(body: object): GenerateCall {
  refuseThread(body)
  if (!messagesRequestValidator.Check(body)) {
    const mistakes = firstMistakes(MessagesRequestSchema, body)
    throw explainMistakes(MessagesRequestSchema, mistakes, dottedPath)
  }
  const messages = parseMessages(body)
  refuseImages(body.messages)
  refuseMarks(body)
  return {
    ...callOf(modelRequest(body, messages), body, referencesIn(body, messagesReferences)),
    tellsReasoning: messages.some(tellsReasoning),
    body,
  }
}

/**
 * Refuses message threads. The vendor would keep the conversation for anyone who names its last answer, and
 * bill all of it for a request that only contains the newest messages. The SDKs' tool runners use threads by
 * default, and send everything after this error code:
 * https://platform.claude.com/docs/en/build-with-claude/message-threads.
 * @throws {GatewayError} 400
 */
function refuseThread({ thread }: { thread?: unknown }): void {
  if (thread === undefined || thread === null) return
  const message =
    'thread: this gateway does not store message threads. Leave it out and send the whole conversation.'
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }
  throw new GatewayError('invalid_request_error', message, { param: 'thread', details })
}

function parseMessages(body: MessagesRequest): Message[] {
  const messages: Message[] = []
  const system = parseSystem(body.system)
  if (system !== undefined) messages.push(system)
  const open: OpenCalls = { waiting: new Set(), answered: new Set() }
  for (let index = 0; index < body.messages.length; index++)
    addTurn(body.messages[index]!, index, messages, open)
  return messages
}

function tellsReasoning({ role, content }: Message): boolean {
  if (role !== 'assistant') return false
  for (const block of content) if (block.kind === 'reasoning') return true
  return false
}

function modelRequest(body: MessagesRequest, messages: Message[]): ModelRequest {
  return {
    model: body.model,
    messages,
    stream: body.stream === true,
    tools: parseTools(body.tools),
    toolChoice: parseToolChoice(body.tool_choice),
    parallelToolCalls: body.tool_choice?.disable_parallel_tool_use === true ? false : undefined,
    output: parseOutput(body),
    maxOutputTokens: body.max_tokens,
    choices: 1,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    stop: body.stop_sequences ?? [],
    seed: undefined,
    logprobs: undefined,
    reasoning: parseThinking(body),
    user: body.metadata?.user_id ?? undefined,
    extensions: unknownFieldsOf(body),
  }
}

/**
 * @throws {GatewayError} 400 for a field of chat completions that `ModelRequest` has: from the extensions,
 * vendors that know it would get it twice
 */
function unknownFieldsOf(body: MessagesRequest): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const name in body) {
    if (knownFields.has(name)) continue
    if (knownChatFields.has(name) || outputBoundFields.has(name) || name === 'best_of')
      throw invalidRequest(name, `${name}: unknown field of /v1/messages.`)
    entries.push([name, (body as Record<string, unknown>)[name]])
  }
  // Uses entries, because assigning to a field called `__proto__` would set the prototype.
  const extensions: Record<string, unknown> = Object.fromEntries(entries)
  addUnknownFields(body, extensions)
  return extensions
}
