import { vendorContract, type VendorEvent, type VendorSample } from '../testing/vendor-contract.ts'
import { openaiResponses } from './vendor.ts'

const head = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'gpt-5-pro' }
const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 29,
}
const weather = '{"city": "Zürich 🌦", "days": [1, 2]}'

function event(data: { type: string; [field: string]: unknown }): VendorEvent {
  return { event: data.type, data }
}

/** An item's events: its start, its pieces, the complete item. */
function item(output_index: number, whole: object, begun: object, ...pieces: object[]): VendorEvent[] {
  return [
    event({ type: 'response.output_item.added', output_index, item: { ...whole, ...begun } }),
    ...pieces.map((piece) => event({ output_index, ...(piece as { type: string }) })),
    event({ type: 'response.output_item.done', output_index, item: whole }),
  ]
}

function sample(
  name: string,
  items: VendorEvent[][],
  output: object[],
  end: object = { status: 'completed' },
): VendorSample {
  const whole = { ...head, service_tier: 'default', ...end, output, usage }
  const { status } = whole as unknown as { status: string }
  const begun = { ...head, status: 'in_progress', output: [], usage: null }
  return {
    name,
    events: [
      event({ type: 'response.created', response: begun }),
      event({ type: 'response.in_progress', response: begun }),
      ...items.flat(),
      event({ type: `response.${status}`, response: whole }),
    ],
    whole,
  }
}

const citation = { type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 2 }
const grueezi = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Grüezi 🌍', annotations: [citation], logprobs: [] }],
}
const refusal = { type: 'message', id: 'msg_1', content: [{ type: 'refusal', refusal: 'I will not' }] }
const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'First this' },
    { type: 'summary_text', text: 'then that' },
  ],
  encrypted_content: 'b3BhcXVl',
}
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'weather', arguments: weather }
const bare = { type: 'function_call', id: 'fc_2', call_id: 'call_b', name: 'now', arguments: '' }
const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }

const say = (type: string, delta: string, beside: object = {}): object => ({ type, delta, ...beside })

vendorContract({
  format: openaiResponses,
  samples: [
    sample(
      'text with a citation',
      [
        item(
          0,
          grueezi,
          { content: [] },
          say('response.output_text.delta', 'Grüezi ', { content_index: 0, logprobs: [] }),
          say('response.output_text.delta', '🌍', { content_index: 0, logprobs: [] }),
          { type: 'response.output_text.annotation.added', content_index: 0, annotation: citation },
        ),
      ],
      [grueezi],
    ),
    sample(
      'reasoning and two calls, one cut within its JSON',
      [
        item(
          0,
          thought,
          { summary: [], encrypted_content: 'aGFsZg' },
          say('response.reasoning_summary_text.delta', 'First ', { summary_index: 0 }),
          say('response.reasoning_summary_text.delta', 'this', { summary_index: 0 }),
          say('response.reasoning_summary_text.delta', 'then that', { summary_index: 1 }),
        ),
        item(
          1,
          call,
          { arguments: '' },
          ...(weather.match(/.{1,5}/gu) ?? []).map((piece) =>
            say('response.function_call_arguments.delta', piece),
          ),
        ),
        item(2, bare, {}),
      ],
      [thought, call, bare],
    ),
    sample(
      'a refusal behind a search of the vendor',
      [
        item(0, search, { status: 'in_progress' }),
        item(1, refusal, { content: [] }, say('response.refusal.delta', 'I will', { content_index: 0 })),
      ].map((events, at) =>
        at === 0
          ? events
          : [
              ...events.slice(0, -1),
              event({ type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: ' not' }),
              ...events.slice(-1),
            ],
      ),
      [search, refusal],
    ),
    sample('an answer that was cut', [item(0, grueezi, {})], [grueezi], {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    }),
  ],
  errorEvent: event({ type: 'error', code: 'server_error', message: 'The server had an error', param: null }),
  splitsToolCalls: true,
})
