/** How a recorded body is stored, in the terms of the recordings' `body_form`. */
export const recordedForms = [
  'sse-raw',
  'json',
  'json-reserialized',
  'sse-payload-lines',
  'events-json',
] as const

export type RecordedForm = (typeof recordedForms)[number]

const payloadFraming: Record<string, (payload: string) => string> = {
  messages: withEventName,
  responses: withEventName,
  'cohere-chat': withEventName,
  generateContent: (payload) => `data: ${payload}\r\n\r\n`,
  streamGenerateContent: (payload) => `data: ${payload}\r\n\r\n`,
}

const plainFraming = (payload: string): string => `data: ${payload}\n\n`

/**
 * The bytes as they were on the wire: whole bodies are unchanged, and a stream's payloads are framed again as
 * its API does it.
 */
export function wireBytes(form: RecordedForm, api: string, stored: Buffer): Buffer {
  if (form === 'sse-payload-lines')
    return frameAll(
      stored
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== ''),
      api,
    )
  if (form !== 'events-json') return stored
  const events: unknown = JSON.parse(stored.toString('utf8'))
  if (!Array.isArray(events)) throw new Error('events-json holds no array')
  return frameAll(
    events.map((event) => JSON.stringify(event)),
    api,
  )
}

function frameAll(payloads: string[], api: string): Buffer {
  const frame = payloadFraming[api] ?? plainFraming
  const text = payloads.map(frame).join('')
  const ends = (api === 'chat' || api === 'completions') && payloads.at(-1) !== '[DONE]'
  return Buffer.from(ends ? `${text}${plainFraming('[DONE]')}` : text)
}

/** Anthropic, Cohere and OpenAI's Responses use a payload's type as its event name. */
function withEventName(payload: string): string {
  const { type } = JSON.parse(payload) as { type?: unknown }
  return typeof type === 'string' ? `event: ${type}\ndata: ${payload}\n\n` : plainFraming(payload)
}
