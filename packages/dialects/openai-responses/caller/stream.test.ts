import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseProof } from '../../answers/reasoning-proof.ts'
import type { BridgeHead } from '../../bridge.ts'
import { callStart, delta, end, finish, start } from '../../testing/parts.ts'
import { eventsOf, readItems, type Event, type Response } from '../testing/read-events.ts'
import { parseRequest } from './request.ts'
import { ResponsesEncoder } from './stream.ts'

const head: BridgeHead = { id: 'resp_req_1', model: 'a/b', created: 1_700_000_000.5, includeUsage: true }
const cost = { usd: '0.1' }
const begun: StreamPart = { type: 'response-start', id: 'x', model: 'b', created: 1, extensions: {} }

function encode(parts: readonly StreamPart[], asked?: object): Event[] {
  const encoder = new ResponsesEncoder({ ...head, asked })
  const text = [begun, ...parts].map((part) => encoder.write(part)).join('')
  return eventsOf(text + encoder.closing({ inputTokens: 1, outputTokens: 2 }, cost))
}

const responseOf = (events: readonly Event[]): Response => events.at(-1)!.response!
const typesOf = (events: readonly Event[]): string[] =>
  events.map(({ type }) => type.replace('response.', ''))

describe('the events of an answer', () => {
  it('come in their order', () => {
    const events = encode([start(0, 'text'), delta(0, 'He'), delta(0, 'llo 😀'), end(0), finish('stop')])
    expect(typesOf(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(readItems(events)).toEqual(responseOf(events).output)
    expect(responseOf(events)).toMatchObject({
      id: 'resp_req_1',
      created_at: 1_700_000_000,
      status: 'completed',
      // Required by the types of OpenAI's SDK.
      access_programs: null,
      output: [{ id: 'msg_req_1_0', content: [{ text: 'Hello 😀' }] }],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3, cost_usd: '0.1', cost: 0.1 },
    })
  })

  it('repeat the request', () => {
    const { asked } = parseRequest({ model: 'm', input: 'x', instructions: 'i', metadata: { a: 'b' } })
    const repeated = { instructions: 'i', metadata: { a: 'b' }, store: false, tools: [], tool_choice: 'auto' }
    const events = encode([start(0, 'text'), delta(0, 'x'), finish('stop')], asked)
    expect([events[0]!.response, responseOf(events)]).toMatchObject([repeated, repeated])
  })

  it('put calls that a vendor interleaves one after the other', () => {
    const events = encode([
      callStart(0, 'f'),
      delta(0, '{"a"'),
      callStart(1, 'g'),
      delta(1, '{"b":'),
      delta(0, ':1}'),
      delta(1, '2}'),
      finish('tool-calls'),
    ])
    expect(readItems(events)).toMatchObject([
      { type: 'function_call', call_id: 'call_0', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'call_1', name: 'g', arguments: '{"b":2}' },
    ])
  })

  it('write missing arguments as an empty object', () => {
    expect(readItems(encode([callStart(0, 'f'), end(0), finish('tool-calls')]))).toMatchObject([
      { arguments: '{}', status: 'completed' },
    ])
  })

  it('write consecutive texts and refusals as parts of one message', () => {
    const parts = [start(0, 'text'), delta(0, 'a'), end(0), start(1, 'refusal'), delta(1, 'no'), end(1)]
    expect(readItems(encode([...parts, finish('stop')]))).toMatchObject([
      {
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'refusal', refusal: 'no' },
        ],
      },
    ])
  })

  it("include a vendor's citations, even if they follow the text", () => {
    const citation = { url: 'https://a.test', title: 'A', start_index: 0, end_index: 1 }
    const events = encode([
      start(0, 'text'),
      delta(0, 'a'),
      start(1, 'raw', { name: 'annotations' }),
      end(0),
      delta(1, '', { value: [{ type: 'url_citation', url_citation: citation }] }),
      finish('stop'),
    ])
    expect(typesOf(events)).toContain('output_text.annotation.added')
    expect(readItems(events)).toMatchObject([
      { content: [{ annotations: [{ type: 'url_citation', ...citation }] }] },
    ])
  })

  it('include log probabilities', () => {
    const logprob = { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [] }
    const logprobs = { content: [logprob], refusal: null }
    const events = encode([start(0, 'text'), delta(0, 'a', { logprobs }), end(0), finish('stop')])
    expect(events.find(({ type }) => type.endsWith('delta'))!.logprobs).toEqual([logprob])
    expect(readItems(events)).toMatchObject([{ content: [{ logprobs: [logprob] }] }])
  })

  it('keep content without an equivalent under its own name', () => {
    const citations = ['https://a.test']
    const raw = [start(1, 'raw', { name: 'citations' }), delta(1, '', { value: citations })]
    const events = encode([start(0, 'text'), delta(0, 'a'), ...raw, finish('stop')])
    expect(responseOf(events)).toMatchObject({ citations })
  })

  it.each([
    ['length', 'max_output_tokens'],
    ['content-filter', 'content_filter'],
  ] as const)('say that an answer is not whole (%s)', (reason, told_) => {
    const events = encode([callStart(0, 'f'), delta(0, '{"a'), finish(reason)])
    expect(events.at(-1)!.type).toBe('response.incomplete')
    expect(responseOf(events)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: told_ },
      output: [{ status: 'incomplete', arguments: '{"a' }],
    })
  })
})

describe('reasoning', () => {
  it('that anyone may read becomes a summary if the caller asked for one', () => {
    const { asked } = parseRequest({ model: 'm', input: 'x', reasoning: { summary: 'auto' } })
    const events = encode([start(0, 'reasoning'), delta(0, 'hm'), end(0), finish('stop')], asked)
    expect(typesOf(events)).toContain('reasoning_summary_text.delta')
    const item = { type: 'reasoning', id: 'rs_req_1_0', summary: [{ type: 'summary_text', text: 'hm' }] }
    expect(readItems(events)).toEqual([item])
  })

  it('without a signature comes back from a client that requires a proof', () => {
    const { asked } = parseRequest({ model: 'm', input: 'x', include: ['reasoning.encrypted_content'] })
    const [item] = readItems(encode([start(0, 'reasoning'), delta(0, 'hm'), end(0), finish('stop')], asked))
    expect(item).toHaveProperty('encrypted_content')
    const { request } = parseRequest({ model: 'm', input: [{ role: 'user', content: 'x' }, item] })
    expect(request.messages[1]!.content).toEqual([{ kind: 'reasoning', text: 'hm' }])
  })

  it('that anyone may read becomes reasoning text', () => {
    const events = encode([start(0, 'reasoning'), delta(0, 'hm'), end(0), finish('stop')])
    expect(typesOf(events)).toContain('reasoning_text.delta')
    expect(readItems(events)).toEqual([
      { type: 'reasoning', id: 'rs_req_1_0', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
    ])
  })

  it('that its vendor signed becomes a summary with its proof', () => {
    const reasoning = { format: 'anthropic-claude-v1' }
    const events = encode([
      start(0, 'reasoning', { reasoning }),
      delta(0, 'hm'),
      end(0, { signature: 'sig' }),
      finish('stop'),
    ])
    const [item] = readItems(events) as unknown as [{ summary: object[]; encrypted_content: string }]
    expect(item.summary).toEqual([{ type: 'summary_text', text: 'hm' }])
    expect(parseProof(item.encrypted_content)).toEqual({ ...reasoning, signature: 'sig' })
    const back = parseRequest({ model: 'm', input: [{ role: 'user', content: 'x' }, item] }).request
    expect(back.messages[1]!.content).toEqual([
      { kind: 'reasoning', text: 'hm', ...reasoning, signature: 'sig' },
    ])
  })

  it('that its vendor hides has only its proof', () => {
    const reasoning = { format: 'anthropic-claude-v1' }
    const hidden = [start(0, 'reasoning', { reasoning }), end(0, { encrypted: 'x' })]
    const events = encode([...hidden, finish('stop')])
    expect(readItems(events)).toMatchObject([
      { summary: [], encrypted_content: expect.any(String) as string },
    ])
  })

  it('without text or proof is omitted', () => {
    expect(responseOf(encode([start(0, 'reasoning'), end(0), finish('stop')])).output).toEqual([])
  })

  it('from OpenAI keeps its own proof', () => {
    const reasoning = { format: 'openai-responses-v1', id: 'rs_1' }
    const hidden = [start(0, 'reasoning', { reasoning }), end(0, { encrypted: 'gAAA' })]
    expect(readItems(encode([...hidden, finish('stop')]))).toMatchObject([{ encrypted_content: 'gAAA' }])
  })
})

describe('tools that the vendor got in another form', () => {
  const tools = [
    { type: 'custom', name: 'sh' },
    { type: 'namespace', name: 'mcp__a', tools: [{ type: 'function', name: 'g' }] },
  ]
  const { asked } = parseRequest({ model: 'm', input: 'x', tools })

  it("are called by the caller's names", () => {
    const events = encode([callStart(0, 'mcp__a__g'), delta(0, '{}'), end(0), finish('tool-calls')], asked)
    expect(readItems(events)).toMatchObject([{ type: 'function_call', name: 'g', namespace: 'mcp__a' }])
  })

  it.each([
    ['{"input":"ls \\"x\\""}', 'ls "x"'],
    ['{"input":"ls', '{"input":"ls'],
    ['{"other":1}', '{"other":1}'],
  ])('take the text that a function was called with (%s)', (text, input) => {
    const pieces = Array.from(text, (piece) => delta(0, piece))
    const events = encode([callStart(0, 'sh'), ...pieces, end(0), finish('tool-calls')], asked)
    expect(readItems(events)).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_0', name: 'sh', input },
    ])
  })

  it.each<[string, unknown]>([
    ['{"query":"x"}', { query: 'x' }],
    ['', {}],
    ['{"query":', '{"query":'],
  ])('are searched for by the client, with an object (%s)', (text, value) => {
    const { asked } = parseRequest({
      model: 'm',
      input: 'x',
      tools: [{ type: 'tool_search', execution: 'client' }],
    })
    const pieces = Array.from(text, (piece) => delta(0, piece))
    const events = encode([callStart(0, 'tool_search'), ...pieces, end(0), finish('tool-calls')], asked)
    const item = { id: 'tsc_req_1_0', type: 'tool_search_call', execution: 'client', call_id: 'call_0' }
    expect(readItems(events)).toEqual([{ ...item, status: 'completed', arguments: value }])
  })

  it('take the text of a custom tool', () => {
    const events = encode([callStart(0, 'p', 'custom'), delta(0, 'ab'), delta(0, 'c'), finish('tool-calls')])
    expect(readItems(events)).toMatchObject([{ type: 'custom_tool_call', name: 'p', input: 'abc' }])
    expect(typesOf(events).filter((type) => type === 'custom_tool_call_input.delta')).toHaveLength(2)
  })
})

describe('an answer that fails', () => {
  const failing = (error: GatewayError, ...parts: StreamPart[]): Event[] => {
    const encoder = new ResponsesEncoder(head)
    const text = parts.map((part) => encoder.write(part)).join('')
    return eventsOf(text + encoder.failing(error))
  }

  it('ends with a failure in the middle, and keeps complete items', () => {
    const error = new GatewayError('upstream_error', 'It broke.')
    const parts = [start(0, 'reasoning'), delta(0, 'hm'), end(0), start(1, 'text'), delta(1, 'x')]
    const events = failing(error, begun, ...parts)
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error', message: 'It broke.' },
        output: [{ type: 'reasoning' }],
      },
    })
  })

  it('ends with a failure after its finish, without a gap in the sequence numbers', () => {
    const encoder = new ResponsesEncoder(head)
    const text = [begun, start(0, 'text'), delta(0, 'x')].map((part) => encoder.write(part)).join('')
    // Events from the finish on wait, and are not sent if the answer fails after all.
    encoder.write(finish('stop'))
    const events = eventsOf(text + encoder.failing(new GatewayError('upstream_error', 'It broke.')))
    expect(events.at(-1)!.type).toBe('response.failed')
  })

  it('may begin with the failure', () => {
    const error = new GatewayError('rate_limit_error', 'Wait.')
    expect(typesOf(failing(error))).toEqual(['created', 'in_progress', 'failed'])
  })

  it.each([
    [new GatewayError('rate_limit_error', 'x'), 'rate_limit_exceeded'],
    [new GatewayError('insufficient_quota', 'x'), 'insufficient_quota'],
    [
      new GatewayError('invalid_request_error', 'x', { reason: 'context-too-long' }),
      'context_length_exceeded',
    ],
    [new GatewayError('invalid_request_error', 'x'), 'invalid_prompt'],
    [new GatewayError('service_unavailable', 'x'), 'server_error'],
  ])('has the code that clients know (%#)', (error, code) => {
    expect(failing(error).at(-1)!.response!.error!.code).toBe(code)
  })
})
