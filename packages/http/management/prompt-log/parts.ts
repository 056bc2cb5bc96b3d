/** A part of a message. */
export interface TranscriptPart {
  type: 'text' | 'reasoning' | 'refusal' | 'tool_call' | 'tool_result' | 'media' | 'other'
  /** The text; a call's arguments, as JSON; or the address of media, if it has one. */
  text: string
  /** The name of a tool. */
  name?: string
  /** The identifier that connects a result with its call. */
  call_id?: string
  /** Such as `image/png`, or `image`. */
  media_type?: string
  /** The size of media whose data was left out. */
  bytes?: number
}

type Members = Record<string, unknown>

const leftOut = /\[(\d+) bytes (?:of base64 )?left out\]/
const longestOther = 4_000

/** The parts of a message's content, in the format of any of the APIs. */
export function partsOf(content: unknown): TranscriptPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((part: unknown) => partsOf(part))
  return isMembers(content) ? [partOf(content)] : []
}

function partOf(part: Members): TranscriptPart {
  const type = typeof part['type'] === 'string' ? part['type'] : ''
  if (type === 'refusal') return { type: 'refusal', text: textIn(part['refusal']) }
  if (/thinking|reasoning/.test(type)) return { type: 'reasoning', text: reasoningTextIn(part) }
  return toolPart(part, type) ?? mediaPart(part, type) ?? textPart(part)
}

function textPart(part: Members): TranscriptPart {
  const { text, thought } = part
  if (typeof text === 'string') return { type: thought === true ? 'reasoning' : 'text', text }
  return { type: 'other', text: shortJson(part) }
}

/** A vendor may seal a model's reasoning: then the summary is shown, or nothing. */
function reasoningTextIn({ thinking, summary, content, text }: Members): string {
  return (
    [thinking, summary, content, text].map(textIn).find((candidate) => candidate !== '') ??
    '(not shown by the vendor)'
  )
}

function toolPart(part: Members, type: string): TranscriptPart | undefined {
  const { function: called, custom, functionCall, functionResponse } = part
  if (isMembers(functionCall)) return call(functionCall, functionCall['args'])
  if (isMembers(functionResponse)) return result(functionResponse, functionResponse['response'])
  if (isMembers(called)) return call({ ...called, id: part['id'] }, called['arguments'])
  if (isMembers(custom)) return call({ ...custom, id: part['id'] }, custom['input'])
  if (/_output$|_result$|^tool_result$/.test(type)) return result(part, part['output'] ?? part['content'])
  if (/_call$|^(?:server_|mcp_)?tool_use$/.test(type))
    return call(part, part['arguments'] ?? part['input'] ?? part['action'])
  return undefined
}

function call(of: Members, content: unknown): TranscriptPart {
  return {
    type: 'tool_call',
    text: typeof content === 'string' ? content : shortJson(content ?? {}),
    ...nameIn(of),
  }
}

function result(of: Members, content: unknown): TranscriptPart {
  return { type: 'tool_result', text: textIn(content) || shortJson(content ?? null), ...nameIn(of) }
}

function nameIn({ name, call_id: callId, tool_use_id: useId, id }: Members) {
  const known = [callId, useId, id].find((one) => typeof one === 'string')
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof known === 'string' && { call_id: known }),
  }
}

/** The members that identify media, in all APIs. */
const mediaMembers = [
  'image_url',
  'input_audio',
  'audio',
  'file',
  'source',
  'inlineData',
  'fileData',
  'file_data',
]

function mediaPart(part: Members, type: string): TranscriptPart | undefined {
  const member = mediaMembers.find((name) => part[name] !== undefined && part[name] !== null)
  if (member === undefined && !/image|audio|video|file|document/.test(type)) return undefined
  const texts = textsIn(member === undefined ? part : part[member])
  const data = texts.find((text) => leftOut.test(text) || text.startsWith('data:'))
  const address = texts.find((text) => /^https?:|^gs:|^file[-_]/.test(text))
  const bytes = Number(leftOut.exec(data ?? '')?.[1])
  const mediaType = texts.find((text) => /^(?:image|audio|video|application|text)\/[\w.+-]+$/.test(text))
  return {
    type: 'media',
    text: address ?? '',
    media_type:
      mediaType ??
      /^data:([\w.+/-]+)/.exec(data ?? '')?.[1] ??
      (type.replace(/^input_|_url$/g, '') || 'media'),
    ...(Number.isFinite(bytes) && { bytes }),
  }
}

/** All texts in a value, down to one level of members. */
function textsIn(value: unknown): string[] {
  const texts = isMembers(value) ? Object.values(value) : [value]
  return texts.filter((text) => typeof text === 'string')
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value
      .map(textIn)
      .filter((text) => text !== '')
      .join('\n')
  if (!isMembers(value)) return ''
  return typeof value['text'] === 'string' ? value['text'] : ''
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longestOther ? `${text.slice(0, longestOther)}…` : text
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
