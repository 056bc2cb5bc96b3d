/**
 * The kind of request that a subject gets and, behind it, the load server. To compare the cost of events, use
 * the `steady` streams, within one format or translated: `chat-to-google` goes to a vendor of chat
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

/** A format that both the load server and callers can speak. */
type Api = 'chat' | 'messages' | 'google' | 'responses'

interface ShapePlan {
  /** Settings for the load server's stream, as a part of its path. */
  settings: string
  /** Format of the load server's answer. */
  vendor: Api
  /** Format of the gateway's callers. Other subjects get requests in the vendor's format. */
  caller: Api
}

const streamOf = (events: number, intervalMs: number): string =>
  `/x-sim-events/${events}/x-sim-interval-ms/${intervalMs}`

/**
 * A steady stream lasts longer than its measurement and ends by itself, since not every proxy closes the
 * vendor's connection when the client leaves.
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
  // One event a second, like a model that reasons aloud on a busy day.
  slow: { settings: streamOf(120, 1_000), vendor: 'chat', caller: 'chat' },
  silent: { settings: '/x-sim-silent/1', vendor: 'chat', caller: 'chat' },
}

export const shapes = Object.keys(plans) as Shape[]

/** For each API: the style of its vendors, the end of their base URL, and the path after it. */
const apis: Record<Api, { style: string; version: string; path: string }> = {
  chat: { style: 'openai', version: '/v1', path: '/chat/completions' },
  messages: { style: 'anthropic', version: '', path: '/v1/messages' },
  responses: { style: 'openai-responses', version: '/v1', path: '/responses' },
  google: { style: 'google', version: '/v1beta', path: '/models/load-model:streamGenerateContent?alt=sse' },
}

/** Path of the load server's API in a gateway's base URL, from which the server reads its settings. */
export function basePath(shape: Shape): string {
  const { settings, vendor } = plans[shape]
  return settings + apis[vendor].version
}

/** URL of that API at the load server. */
export function vendorUrl(port: number, shape: Shape): string {
  return `http://127.0.0.1:${port}${basePath(shape)}`
}

/** The complete path at the load server. */
export function vendorPath(shape: Shape): string {
  return basePath(shape) + apis[plans[shape].vendor].path
}

/** The style in a provider's configuration. */
export function styleOf(shape: Shape): string {
  return apis[plans[shape].vendor].style
}

/** Path and body that a caller of the gateway sends. */
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
/** Larger than the longest stream: an answer far beyond its bound would also be counted by a tokenizer. */
const bound = 16_384

/** A 2 KB body of a chat completion: a conversation of a few turns, with the usual fields of clients. */
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

/** The same for OpenAI's Responses. */
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

/** The same for Google's API, whose path contains the model and the choice of streaming. */
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
