import { eventBytes, httpChunk, memoize, type StreamBytes } from './bytes.ts'

/**
 * The load server's stream in the format of OpenAI's Responses. It has as many events as chat completions,
 * but larger ones, since each contains the position of its text.
 */
export function responsesStream(): StreamBytes {
  const filling = 'lorem ipsum '.repeat(20).slice(0, Math.max(24, eventBytes - delta('').length))
  return {
    begin: httpChunk(
      event({ type: 'response.created', response: response('in_progress', null) }) +
        event({ type: 'response.in_progress', response: response('in_progress', null) }) +
        event({ type: 'response.output_item.added', output_index: 0, item: message }) +
        event({ type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '' } }) +
        delta('Lorem'),
    ),
    content: httpChunk(delta(filling)),
    end: memoize((events) =>
      Buffer.concat([
        httpChunk(event({ type: 'response.output_item.done', output_index: 0, item: message })),
        httpChunk(event({ type: 'response.completed', response: response('completed', events) })),
        Buffer.from('0\r\n\r\n'),
      ]),
    ),
  }
}

const message = { id: 'msg_LoadServer0123456789abc', type: 'message', role: 'assistant', content: [] }
const place = { item_id: message.id, output_index: 0, content_index: 0 }

function delta(text: string): string {
  return event({
    type: 'response.output_text.delta',
    ...place,
    delta: text,
    logprobs: [],
    obfuscation: 'a1B2',
  })
}

function response(status: string, tokens: number | null): object {
  const usage =
    tokens === null ? null : { input_tokens: 500, output_tokens: tokens, total_tokens: 500 + tokens }
  return {
    id: 'resp_LoadServer0123456789abc',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: 'load-model',
    output: [],
    usage,
  }
}

function event(body: { type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify({ ...body, sequence_number: 4 })}\n\n`
}
