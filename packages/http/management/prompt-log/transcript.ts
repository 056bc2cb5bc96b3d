import { partsOf, type TranscriptPart } from './parts.ts'

/** A message for people to read, whichever API it used. */
export interface TranscriptMessage {
  /** The role in its API: `system`, `user`, `assistant`, `model`, `tool`; `error` for an error. */
  role: string
  parts: TranscriptPart[]
}

type Members = Record<string, unknown>

/**
 * The messages of a request. A stored body may be cut off or invalid: everything in it that looks like a
 * message is read, and the rest is ignored.
 */
export function requestTranscript(body: unknown): TranscriptMessage[] {
  if (!isMembers(body)) return typeof body === 'string' ? [textMessage('user', body)] : []
  const { system, instructions, systemInstruction, messages, input, contents, prompt, query, documents } =
    body
  return [
    ...[system, instructions].flatMap((text) => message('system', text)),
    ...message('system', isMembers(systemInstruction) ? systemInstruction['parts'] : systemInstruction),
    ...listOf(messages).flatMap(chatMessage),
    ...inputMessages(input),
    ...listOf(contents).flatMap(googleMessage),
    ...[prompt, query].flatMap((text) => message('user', text)),
    ...listOf(documents).flatMap((document) => message('document', document)),
  ]
}

/** The messages of a response, and its error. */
export function answerTranscript(body: unknown): TranscriptMessage[] {
  if (!isMembers(body)) return typeof body === 'string' ? [textMessage('assistant', body)] : []
  const { choices, content, output, candidates, error } = body
  return [
    ...listOf(choices).flatMap(choiceMessage),
    ...message('assistant', content),
    ...listOf(output).flatMap(item),
    ...listOf(candidates).flatMap((candidate) =>
      isMembers(candidate) ? googleMessage(candidate['content']) : [],
    ),
    ...errorMessage(error),
  ]
}

function choiceMessage(choice: unknown): TranscriptMessage[] {
  if (!isMembers(choice)) return []
  return isMembers(choice['message'])
    ? chatMessage({ role: 'assistant', ...choice['message'] })
    : message('assistant', choice['text'])
}

/** For chat completions and Messages. */
function chatMessage(said: unknown): TranscriptMessage[] {
  if (!isMembers(said)) return message('user', said)
  const {
    role,
    content,
    refusal,
    reasoning_content: reasoning,
    tool_calls: calls,
    function_call: call,
  } = said
  const isResult = role === 'tool' || role === 'function'
  const told = partsOf(content)
  const result = { id: said['tool_call_id'], name: said['name'], type: 'tool_result', content }
  return toMessages(roleOf(role, 'user'), [
    ...(typeof reasoning === 'string' && reasoning !== ''
      ? [{ type: 'reasoning' as const, text: reasoning }]
      : []),
    ...(isResult ? partsOf([result]) : told),
    ...(typeof refusal === 'string' ? [{ type: 'refusal' as const, text: refusal }] : []),
    ...partsOf(listOf(calls)),
    ...(isMembers(call) ? partsOf([{ type: 'function_call', ...call }]) : []),
  ])
}

/** For Responses: a text, or items; for embeddings and moderations: texts. */
function inputMessages(input: unknown): TranscriptMessage[] {
  if (!Array.isArray(input)) return message('user', input)
  return input.flatMap((one: unknown) => (typeof one === 'string' ? message('user', one) : item(one)))
}

function item(said: unknown): TranscriptMessage[] {
  if (!isMembers(said)) return []
  const { type, role, content } = said
  if (type === 'message' || role !== undefined) return message(roleOf(role, 'user'), content)
  const isResult = typeof type === 'string' && type.endsWith('_output')
  return toMessages(isResult ? 'tool' : 'assistant', partsOf([said]))
}

function googleMessage(said: unknown): TranscriptMessage[] {
  if (!isMembers(said)) return message('user', said)
  return toMessages(roleOf(said['role'], 'user'), partsOf(said['parts']))
}

function errorMessage(error: unknown): TranscriptMessage[] {
  if (!isMembers(error)) return []
  const text = typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error)
  return [textMessage('error', text)]
}

function message(role: string, content: unknown): TranscriptMessage[] {
  return toMessages(role, partsOf(content))
}

function toMessages(role: string, parts: TranscriptPart[]): TranscriptMessage[] {
  return parts.length === 0 ? [] : [{ role, parts }]
}

function textMessage(role: string, text: string): TranscriptMessage {
  return { role, parts: [{ type: 'text', text }] }
}

function roleOf(role: unknown, otherwise: string): string {
  return typeof role === 'string' && role !== '' ? role : otherwise
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  return typeof value === 'string' || isMembers(value) ? [value] : []
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
