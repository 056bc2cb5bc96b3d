import { vendorContract, type VendorEvent, type VendorSample } from '../testing/vendor-contract.ts'
import { anthropicMessages } from './vendor.ts'
import { answerToolName } from '../requests/schemas/answer-tool.ts'

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929' }
const input = { input_tokens: 20, cache_creation_input_tokens: 2, cache_read_input_tokens: 5 }
const split = { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 2 } }
const output = { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }
const weather = '{"city": "Zürich 🌦", "days": [1, 2]}'

function event(data: { type: string; [field: string]: unknown }): VendorEvent {
  return { event: data.type, data }
}

/** A content block's events: its start, its pieces, its end. */
function block(index: number, content_block: object, ...deltas: object[]): VendorEvent[] {
  return [
    event({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

const text = (index: number, ...pieces: string[]): VendorEvent[] =>
  block(index, { type: 'text', text: '' }, ...pieces.map((one) => ({ type: 'text_delta', text: one })))

const call = (index: number, id: string, name: string, ...pieces: string[]): VendorEvent[] =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

function sample(
  name: string,
  blocks: VendorEvent[][],
  content: object[],
  stop_reason: string,
  beside: object = {},
): VendorSample {
  const start = { ...head, content: [], stop_reason: null, usage: { ...input, ...split, output_tokens: 1 } }
  return {
    name,
    events: [
      event({ type: 'message_start', message: start }),
      event({ type: 'ping' }),
      ...blocks.flat(),
      event({
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null, ...beside },
        usage: { ...input, ...output },
      }),
      event({ type: 'message_stop' }),
    ],
    whole: { ...head, content, stop_reason, ...beside, usage: { ...input, ...split, ...output } },
  }
}

const samples: VendorSample[] = [
  sample('text', [text(0, 'Grüezi ', '🌍')], [{ type: 'text', text: 'Grüezi 🌍' }], 'end_turn'),
  sample(
    'thinking, redacted thinking, text and two calls cut within their JSON',
    [
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Let me ' },
        { type: 'thinking_delta', thinking: 'see' },
        { type: 'signature_delta', signature: 'c2ln' },
      ),
      block(1, { type: 'redacted_thinking', data: 'b3BhcXVl' }),
      text(2, 'One moment'),
      call(3, 'toolu_a', 'weather', '', ...(weather.match(/.{1,5}/gu) ?? [])),
      call(4, 'toolu_b', 'now', ''),
    ],
    [
      { type: 'thinking', thinking: 'Let me see', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'text', text: 'One moment' },
      { type: 'tool_use', id: 'toolu_a', name: 'weather', input: JSON.parse(weather) as object },
      { type: 'tool_use', id: 'toolu_b', name: 'now', input: {} },
    ],
    'tool_use',
  ),
  sample(
    'a search of its own, and text with citations',
    [
      block(
        0,
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: '"x"}' },
      ),
      block(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'u' }] }),
      block(
        2,
        { type: 'text', text: '', citations: [] },
        { type: 'citations_delta', citation: { url: 'u' } },
        { type: 'text_delta', text: 'It says so' },
      ),
      block(3, { type: 'compaction', content: '' }, { type: 'compaction_delta', content: 'so far' }),
    ],
    [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'u' }] },
      { type: 'text', text: 'It says so', citations: [{ url: 'u' }] },
      { type: 'compaction', content: 'so far' },
    ],
    'pause_turn',
    { container: { id: 'container_1' } },
  ),
  sample(
    'an answer in JSON by the tool that stands for it',
    [call(0, 'toolu_j', answerToolName, '{"a":', '1}')],
    [{ type: 'tool_use', id: 'toolu_j', name: answerToolName, input: { a: 1 } }],
    'tool_use',
  ),
  sample('a refusal', [], [], 'refusal', { stop_details: { type: 'refusal', category: 'bio' } }),
]

vendorContract({
  format: anthropicMessages,
  samples,
  errorEvent: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  splitsToolCalls: true,
})
