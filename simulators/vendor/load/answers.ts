import { eventBytes, httpAnswer, httpChunk, memoize, type StreamBytes } from './bytes.ts'

/** Bytes of the load server's answers in OpenAI's format, created once. */
export interface LoadAnswers {
  plain: Buffer
  /** With and without `"usage":null`, as set by `stream_options.include_usage`. */
  stream: { withUsage: StreamBytes; withoutUsage: StreamBytes }
  notFound: Buffer
}

const plainBodyBytes = 1024
const promptTokens = 500
const id = 'chatcmpl-LoadServer0123456789abcdefghi'
const created = 1_770_000_000
const model = 'load-model'

export function loadAnswers(): LoadAnswers {
  return {
    plain: httpAnswer('200 OK', plainBody()),
    stream: { withUsage: streamBytes(true), withoutUsage: streamBytes(false) },
    notFound: httpAnswer(
      '404 Not Found',
      '{"error":{"message":"Unknown path","type":"invalid_request_error"}}',
    ),
  }
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
    begin: httpChunk(event(JSON.stringify(chunk({ role: 'assistant', content: '', refusal: null }, null)))),
    content: httpChunk(contentEvent(filling)),
    end: memoize(end),
  }
}

function event(data: string): string {
  return `data: ${data}\n\n`
}
