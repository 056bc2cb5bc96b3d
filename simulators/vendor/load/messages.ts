import { eventBytes, httpChunk, memoize, type StreamBytes } from './bytes.ts'

/** The load server's stream in Anthropic's format, with as many and as large events as OpenAI's. */
export function messageStream(): StreamBytes {
  const delta = (text: string): string =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  const filling = 'lorem ipsum '.repeat(20).slice(0, Math.max(1, eventBytes - delta('').length))
  return {
    begin: httpChunk(
      event({ type: 'message_start', message }) +
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
        event({ type: 'ping' }),
    ),
    content: httpChunk(delta(filling)),
    end: memoize((events) =>
      Buffer.concat([
        httpChunk(event({ type: 'content_block_stop', index: 0 })),
        httpChunk(
          event({
            type: 'message_delta',
            delta: { stop_reason: 'end_turn', stop_sequence: null },
            usage: { output_tokens: events },
          }),
        ),
        httpChunk(event({ type: 'message_stop' })),
        Buffer.from('0\r\n\r\n'),
      ]),
    ),
  }
}

const message = {
  id: 'msg_LoadServer0123456789abc',
  type: 'message',
  role: 'assistant',
  model: 'load-model',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 500, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
}

function event(body: { type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
}
