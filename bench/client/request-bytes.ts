/** What the load server is to answer. */
export type Shape = 'plain' | 'steady' | 'translated' | 'messages' | 'brief' | 'slow' | 'silent'

/**
 * A steady stream is longer than it is measured, and ends by itself: not every proxy tells the vendor that
 * the client has left.
 */
const steady = { events: 140, intervalMs: 50 }

/** One event a second, as a model that thinks aloud on a busy day. */
const slow = { events: 120, intervalMs: 1_000 }

/** Events of a brief stream, and the time between them. */
const brief = { events: 60, intervalMs: 50 }

/**
 * The path of the load server's API by shape, as a gateway's base URL has it: the server reads its settings
 * from the path. The translated stream is a steady one in Anthropic's format, whose base URL is without
 * version; `messages` is the same one for a caller of that format.
 */
export const basePaths: Record<Shape, string> = {
  plain: '/v1',
  steady: `/x-sim-events/${steady.events}/x-sim-interval-ms/${steady.intervalMs}/v1`,
  translated: `/x-sim-events/${steady.events}/x-sim-interval-ms/${steady.intervalMs}`,
  messages: `/x-sim-events/${steady.events}/x-sim-interval-ms/${steady.intervalMs}`,
  brief: `/x-sim-events/${brief.events}/x-sim-interval-ms/${brief.intervalMs}/v1`,
  slow: `/x-sim-events/${slow.events}/x-sim-interval-ms/${slow.intervalMs}/v1`,
  silent: '/x-sim-silent/1/v1',
}

/** The whole path at the load server. */
export function vendorPath(shape: Shape): string {
  return basePaths[shape] + (speaksMessages(shape) ? '/v1/messages' : '/chat/completions')
}

/** Whether the load server answers it in Anthropic's format. */
export function speaksMessages(shape: Shape): boolean {
  return shape === 'translated' || shape === 'messages'
}

const bodyBytes = 2_048

const instructions = 'You are a helpful assistant. Answer in one paragraph, and say "I" rarely.'
const turns = [
  { role: 'user', content: 'What is the difference between a process and a thread?\nKeep it short.' },
  { role: 'assistant', content: 'A process has memory of its own; threads of one process share it.' },
]
/** More than the longest stream has: what goes far beyond its bound is counted by a tokenizer besides. */
const bound = 16_384

/** A chat completion's body of 2 KB: a conversation of a few turns, in the fields that most clients send. */
export function chatBody(model: string, stream: boolean): string {
  const system = { role: 'system', content: instructions }
  return filledBody((messages) => ({
    model,
    messages: [system, ...messages],
    temperature: 0.7,
    max_completion_tokens: bound,
    stream,
  }))
}

/** The same in Anthropic's format. */
export function messagesBody(model: string, stream: boolean): string {
  return filledBody((messages) => ({
    model,
    system: instructions,
    messages,
    temperature: 0.7,
    max_tokens: bound,
    stream,
  }))
}

function filledBody(bodyOf: (messages: object[]) => object): string {
  const body = (filling: string): string =>
    JSON.stringify(bodyOf([...turns, { role: 'user', content: filling }]))
  const filler = 'And what does that mean for a server that answers many requests at a time? '
  return body(filler.repeat(bodyBytes / filler.length + 1).slice(0, bodyBytes - body('').length))
}

export function requestBytes(
  port: number,
  path: string,
  headers: Record<string, string>,
  body: string,
): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    'accept: application/json',
    'user-agent: turnpike-bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
