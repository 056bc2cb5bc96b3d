import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { openaiSchemas } from '@turnpike/simulators/openai-schema'
import { describe, expect, it } from 'vitest'
import { openaiChatCaller } from '../openai-chat/caller.ts'
import { utf8 } from '../sse/parser.ts'
import { callStart, delta, end, finish, start } from '../testing/parts.ts'
import type { StreamDecoder, GenerateFormat } from '../vendor.ts'
import { TranslatingBridge } from './translating-bridge.ts'

const schemas = openaiSchemas()

const head = { id: 'ours', model: 'vendor/möbel', created: 1_700_000_000.5, includeUsage: true }

/** A vendor whose events are our own parts, so that only the way to the caller is tested. */
const decoder = (): StreamDecoder => ({
  push: (body) => body as StreamPart[],
  pushText: (data) =>
    data === '[DONE]' ? [] : [{ type: 'error', error: new GatewayError('upstream_error', data) }],
  end: () => [],
})
const vendorFormat = { operations: { generate: { decoder } } } as unknown as GenerateFormat

const finished = finish('tool-calls', 'tool_use')
const call = (block: number): StreamPart => callStart(block, 'wetter')

const answer: StreamPart[][] = [
  [
    {
      type: 'response-start',
      id: 'msg_1',
      model: 'x',
      created: undefined,
      extensions: { service_tier: 'standard', system_fingerprint: 5, object: 'message' },
    },
    start(0, 'reasoning', { reasoning: { format: 'anthropic-claude-v1' } }),
  ],
  [delta(0, 'Überlege')],
  [delta(0, ' … ')],
  [delta(0, 'so')],
  [end(0, { signature: 'c2ln' }), start(1, 'reasoning', { reasoning: { format: 'anthropic-claude-v1' } })],
  [end(1, { encrypted: 'b3BhcXVl' })],
  [start(2, 'text'), delta(2, '中"\\')],
  [delta(2, '\ud83d')],
  [end(2), call(3)],
  [delta(3, '{"ort":')],
  [delta(3, '"Zürich"}')],
  [end(3), call(4), delta(4, '{}'), end(4)],
  [{ type: 'usage', usage: { inputTokens: 3, outputTokens: 4, raw: { input_tokens: 3 } } }, finished],
]

interface Told {
  parts: readonly StreamPart[]
  text: string
}

interface Chunk {
  id: string
  model: string
  choices: { delta: Record<string, unknown>; finish_reason: string | null }[]
  [field: string]: unknown
}

function bridged(
  events: readonly unknown[],
  more: object = {},
  cut = -1,
): { told: Told[]; bridge: TranslatingBridge } {
  const reported: Told[] = []
  const bridge = new TranslatingBridge(vendorFormat, openaiChatCaller.streams.encoder({ ...head, ...more }), {
    onEvent: (parts, text) => reported.push({ parts, text }),
  })
  const bytes = Buffer.from(
    events.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
  )
  const middle = cut === -1 ? bytes.length : cut
  bridge.push(bytes.subarray(0, middle))
  bridge.push(bytes.subarray(middle))
  bridge.end()
  return { told: reported, bridge }
}

function chunksOf(text: string): Chunk[] {
  const events = utf8(text).split('\n\n').slice(0, -1)
  return events.filter((one) => one !== 'data: [DONE]').map((one) => JSON.parse(one.slice(6)) as Chunk)
}

const sent = (events: readonly Told[]): string => events.map((one) => one.text).join('')
const deltasOf = (chunks: Chunk[]): unknown[] => chunks.map((one) => one.choices[0]!.delta)

describe('a translated stream', () => {
  const { told, bridge } = bridged([...answer, '[DONE]'])
  const chunks = chunksOf(sent(told))

  it('writes every part in order, the role first, and numbers tool calls by themselves', () => {
    const tool = (index: number, text: string): object => ({
      tool_calls: [{ index, function: { arguments: text } }],
    })
    const opened = (index: number, id: string): object => ({
      tool_calls: [{ index, id, type: 'function', function: { name: 'wetter', arguments: '' } }],
    })
    const format = 'anthropic-claude-v1'
    expect(deltasOf(chunks)).toEqual([
      { role: 'assistant', reasoning_content: 'Überlege' },
      { reasoning_content: ' … ' },
      { reasoning_content: 'so' },
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'Überlege … so', signature: 'c2ln', format, index: 0 },
        ],
      },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'b3BhcXVl', format, index: 1 }] },
      { content: '中"\\' },
      { content: '\ud83d' },
      opened(0, 'call_3'),
      tool(0, '{"ort":'),
      tool(0, '"Zürich"}'),
      opened(1, 'call_4'),
      tool(1, '{}'),
      {},
    ])
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('tool_calls')
  })

  it.runIf(schemas !== undefined)("keeps OpenAI's schema in every chunk", () => {
    const all = [...chunks, ...chunksOf(bridge.closing({ inputTokens: 3, outputTokens: 4 }, { usd: '0.5' }))]
    for (const one of all) expect(schemas!.faultsOfChunk(one)).toEqual([])
  })

  it("has one head, with our model and the upstream's identifier", () => {
    for (const one of chunks) {
      const { choices: _choices, ...rest } = one
      expect(rest).toEqual({
        id: 'msg_1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'vendor/möbel',
        usage: null,
      })
    }
  })

  it('reports the decoded parts in real text, along with their events', () => {
    expect(told.flatMap(({ parts }) => parts)).toEqual(answer.flat())
  })

  it('is the same wherever its bytes are cut', () => {
    const bytes = answer.reduce((length, one) => length + Buffer.byteLength(JSON.stringify(one)) + 8, 0)
    for (let cut = 1; cut < bytes; cut++) expect(sent(bridged(answer, {}, cut).told)).toBe(sent(told))
  })

  it('separates the finish from the text before it, since what follows waits for the settlement', () => {
    const last = bridged([[start(0, 'text'), delta(0, 'a'), delta(0, 'b'), end(0), finished]]).told
    expect(last.map(({ parts }) => parts.at(-1)!.type)).toEqual(['block-end', 'finish'])
    expect(chunksOf(last[1]!.text)).toHaveLength(1)
  })
})

it('hides reasoning from a caller that does not want it', () => {
  const chunks = chunksOf(sent(bridged(answer, { reasoningHidden: true }).told))
  expect(JSON.stringify(chunks)).not.toContain('reasoning')
  expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '中"\\' })
})

it('writes unknown blocks under their own name, and log probabilities with their text', () => {
  const logprobs = { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }], refusal: null }
  const events: StreamPart[][] = [
    [start(0, 'text'), delta(0, 'x')],
    [delta(0, 'a', { logprobs })],
    [start(1, 'raw', { name: 'search' })],
    [delta(1, '', { value: { query: 'é' } })],
  ]
  const chunks = chunksOf(sent(bridged(events).told))
  expect(chunks[1]!.choices[0]).toMatchObject({ delta: { content: 'a' }, logprobs })
  expect(chunks[2]!.choices[0]!.delta).toEqual({ search: { query: 'é' } })
})

it('ends with the usage only if the caller asked for it', () => {
  const usage = { inputTokens: 3, outputTokens: 4 }
  const withUsage = bridged(answer).bridge.closing(usage, { usd: '0.25' })
  expect(withUsage.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(chunksOf(withUsage)).toMatchObject([
    {
      id: 'msg_1',
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 4, cost_usd: '0.25', cost: 0.25 },
    },
  ])
  expect(bridged(answer, { includeUsage: false }).bridge.closing(usage, { usd: '1' })).toBe(
    'data: [DONE]\n\n',
  )
  expect(chunksOf(sent(bridged(answer, { includeUsage: false }).told))[0]).not.toHaveProperty('usage')
})

it('ends a broken answer with the error, and passes text that is not JSON to the decoder', () => {
  const { told, bridge } = bridged([answer[0], answer[1], '{"cut":'])
  expect(told.at(-1)!.parts).toMatchObject([{ type: 'error', error: { message: '{"cut":' } }])
  expect(told.at(-1)!.text).toBe('')
  const [last] = chunksOf(bridge.failing(new GatewayError('upstream_error', 'Aus für heute.'), 'req_1'))
  expect(last).toEqual({
    id: 'msg_1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'vendor/möbel',
    choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
    error: { message: 'Aus für heute.', type: 'upstream_error', code: 502, param: null, request_id: 'req_1' },
  })
})
