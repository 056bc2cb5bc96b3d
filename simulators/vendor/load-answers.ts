/** Bytes of the load server's answers, made once: framed as HTTP/1.1, streams as chunks of it. */
export interface LoadAnswers {
  plain: Buffer
  streamHead: Buffer
  /** With and without `"usage":null`, as `stream_options.include_usage` has it. */
  stream: { withUsage: StreamBytes; withoutUsage: StreamBytes }
  notFound: Buffer
}

export interface StreamBytes {
  role: Buffer
  /** About 250 bytes with its framing. */
  content: Buffer
  /** Finish, usage where it is asked for, `[DONE]`, and the end of the body. */
  end: (events: number) => Buffer
}

const plainBodyBytes = 1024
const eventBytes = 250
const promptTokens = 500
const id = 'chatcmpl-LoadServer0123456789abcdefghi'
const created = 1_770_000_000
const model = 'load-model'

export function loadAnswers(): LoadAnswers {
  return {
    plain: httpAnswer('200 OK', plainBody()),
    streamHead: Buffer.from(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n' +
        'x-request-id: req_load\r\ntransfer-encoding: chunked\r\n\r\n',
    ),
    stream: { withUsage: streamBytes(true), withoutUsage: streamBytes(false) },
    notFound: httpAnswer(
      '404 Not Found',
      '{"error":{"message":"Unknown path","type":"invalid_request_error"}}',
    ),
  }
}

/** A whole answer with a JSON body. */
export function httpAnswer(status: string, body: string): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nx-request-id: req_load\r\n` +
      `content-length: ${length}\r\n\r\n${body}`,
  )
}

function plainBody(): string {
  const withContent = (content: string): string =>
    JSON.stringify({
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: usageOf(120),
      service_tier: 'default',
    })
  return withContent('lorem ipsum '.repeat(100).slice(0, plainBodyBytes - withContent('').length))
}

function usageOf(completionTokens: number): Record<string, unknown> {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

function streamBytes(includeUsage: boolean): StreamBytes {
  const chunk = (delta: unknown, finish: string | null): Record<string, unknown> => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  })
  const contentEvent = (content: string): string => event(JSON.stringify(chunk({ content }, null)))
  const filling = 'lorem ipsum '.repeat(20).slice(0, Math.max(1, eventBytes - contentEvent('').length))
  const end = (events: number): Buffer => {
    const finish = event(JSON.stringify(chunk({}, 'stop')))
    const usage = { ...chunk({}, null), choices: [], usage: usageOf(events) }
    const last = includeUsage ? event(JSON.stringify(usage)) : ''
    const pieces = [finish, last, event('[DONE]')].filter((piece) => piece !== '')
    return Buffer.concat([...pieces.map(httpChunk), Buffer.from('0\r\n\r\n')])
  }
  return {
    role: httpChunk(event(JSON.stringify(chunk({ role: 'assistant', content: '', refusal: null }, null)))),
    content: httpChunk(contentEvent(filling)),
    end: remembered(end),
  }
}

function event(data: string): string {
  return `data: ${data}\n\n`
}

function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

function remembered(make: (events: number) => Buffer): (events: number) => Buffer {
  const made = new Map<number, Buffer>()
  return (events) => {
    let bytes = made.get(events)
    if (bytes === undefined) made.set(events, (bytes = make(events)))
    return bytes
  }
}
