/**
 * What is asked of a subject and, behind it, of the load server. The streams that are compared by their
 * events are `steady` ones, in one format or from one to another: `chat-to-google` is of a vendor of chat
 * completions for a caller of Google's API.
 */
export type Shape =
  | 'plain'
  | 'steady'
  | 'translated'
  | 'messages'
  | 'google'
  | 'chat-to-google'
  | 'google-to-chat'
  | 'responses'
  | 'chat-to-responses'
  | 'responses-to-chat'
  | 'brief'
  | 'slow'
  | 'silent'

/** A format that the load server answers in, and callers speak. */
type Api = 'chat' | 'messages' | 'google' | 'responses'

interface ShapePlan {
  /** How the load server is to stream, in its path. */
  settings: string
  /** What it answers in. */
  vendor: Api
  /** What the gateway's callers speak: others are asked for the vendor's. */
  caller: Api
}

const streamOf = (events: number, intervalMs: number): string =>
  `/x-sim-events/${events}/x-sim-interval-ms/${intervalMs}`

/**
 * A steady stream is longer than it is measured, and ends by itself: not every proxy tells the vendor that
 * the client has left.
 */
const steady = streamOf(260, 50)

const plans: Record<Shape, ShapePlan> = {
  plain: { settings: '', vendor: 'chat', caller: 'chat' },
  steady: { settings: steady, vendor: 'chat', caller: 'chat' },
  translated: { settings: steady, vendor: 'messages', caller: 'chat' },
  messages: { settings: steady, vendor: 'messages', caller: 'messages' },
  google: { settings: steady, vendor: 'google', caller: 'google' },
  'chat-to-google': { settings: steady, vendor: 'chat', caller: 'google' },
  'google-to-chat': { settings: steady, vendor: 'google', caller: 'chat' },
  responses: { settings: steady, vendor: 'responses', caller: 'responses' },
  'chat-to-responses': { settings: steady, vendor: 'chat', caller: 'responses' },
  'responses-to-chat': { settings: steady, vendor: 'responses', caller: 'chat' },
  brief: { settings: streamOf(60, 50), vendor: 'chat', caller: 'chat' },
  // One event a second, as a model that thinks aloud on a busy day.
  slow: { settings: streamOf(120, 1_000), vendor: 'chat', caller: 'chat' },
  silent: { settings: '/x-sim-silent/1', vendor: 'chat', caller: 'chat' },
}

export const shapes = Object.keys(plans) as Shape[]

/** Of each API: the style of its vendors, what ends their base URL, and what stands behind that. */
const apis: Record<Api, { style: string; version: string; path: string }> = {
  chat: { style: 'openai', version: '/v1', path: '/chat/completions' },
  messages: { style: 'anthropic', version: '', path: '/v1/messages' },
  responses: { style: 'openai-responses', version: '/v1', path: '/responses' },
  google: { style: 'google', version: '/v1beta', path: '/models/load-model:streamGenerateContent?alt=sse' },
}

/** The load server's API, as a gateway's base URL has it: the server reads its settings from the path. */
export function basePath(shape: Shape): string {
  const { settings, vendor } = plans[shape]
  return settings + apis[vendor].version
}

/** Where the load server has that API. */
export function vendorUrl(port: number, shape: Shape): string {
  return `http://127.0.0.1:${port}${basePath(shape)}`
}

/** The whole path at the load server. */
export function vendorPath(shape: Shape): string {
  return basePath(shape) + apis[plans[shape].vendor].path
}

/** As the configuration of a provider has it. */
export function styleOf(shape: Shape): string {
  return apis[plans[shape].vendor].style
}

/** What a caller of the gateway sends: path and body. */
export function callerRequest(shape: Shape, model: string): { path: string; body: string } {
  const stream = shape !== 'plain'
  switch (plans[shape].caller) {
    case 'chat':
      return { path: '/v1/chat/completions', body: chatBody(model, stream) }
    case 'messages':
      return { path: '/v1/messages', body: messagesBody(model, stream) }
    case 'responses':
      return { path: '/v1/responses', body: responsesBody(model, stream) }
    case 'google':
      return { path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, body: googleBody() }
  }
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
  return fillBody((messages) => ({
    model,
    messages: [system, ...messages],
    temperature: 0.7,
    max_completion_tokens: bound,
    stream,
  }))
}

/** The same in Anthropic's format. */
function messagesBody(model: string, stream: boolean): string {
  return fillBody((messages) => ({
    model,
    system: instructions,
    messages,
    temperature: 0.7,
    max_tokens: bound,
    stream,
  }))
}

/** The same as OpenAI's Responses have it. */
function responsesBody(model: string, stream: boolean): string {
  return fillBody((input) => ({
    model,
    instructions,
    input,
    temperature: 0.7,
    max_output_tokens: bound,
    stream,
  }))
}

/** The same in Google's, in which model and stream stand in the path. */
function googleBody(): string {
  return fillBody((messages) => ({
    contents: (messages as { role: string; content: string }[]).map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : role,
      parts: [{ text: content }],
    })),
    systemInstruction: { parts: [{ text: instructions }] },
    generationConfig: { temperature: 0.7, maxOutputTokens: bound },
  }))
}

function fillBody(bodyOf: (messages: object[]) => object): string {
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
