import { expect, it } from 'vitest'
import type { BridgeListener } from '../../bridge.ts'
import { utf8 } from '../../sse/parser.ts'
import { bridged } from '../../testing/bridged.ts'
import { ChatStreamBridge } from './stream.ts'

const head = { id: 'ours', model: 'öpen/gpt', created: 1_700_000_000, includeUsage: true }
const open = '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m"'

function chunk(delta: string, finish = 'null', usage = ''): string {
  return `data: ${open},"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]${usage}}\n\n`
}

interface Chunk {
  model: string
  choices: { delta: { content?: string }; finish_reason: string | null }[]
  service_tier?: string
  usage?: { vendor_note?: string } | null
  error?: { message: string }
}

interface Told {
  chunks: Chunk[]
  deltas: string[]
  error: string | undefined
  bridge: ChatStreamBridge
}

function pass(text: string): Told {
  const open = (listener: BridgeListener): ChatStreamBridge => new ChatStreamBridge(head, listener)
  const { bridge, parts, text: sent, error } = bridged(open, [text])
  const deltas = parts.filter((part) => part.type === 'block-delta').map((part) => part.text)
  return { chunks: chunksOf(sent), deltas, error: error?.message, bridge }
}

function chunksOf(latin1: string): Chunk[] {
  const events = utf8(latin1).replace('data: [DONE]\n\n', '').split('\n\n').slice(0, -1)
  return events.map((one) => JSON.parse(one.slice('data: '.length)) as Chunk)
}

/** Rewritten chunks: the first one, one with a reason that is not OpenAI's, and the one with the usage. */
it('keeps escapes and raw characters apart in rewritten chunks', () => {
  const usage = ',"usage":{"prompt_tokens":1,"completion_tokens":2},"vendor_note":"\\u00e9é"'
  const text =
    chunk('{"content":"\\u00e9é \\u4e2d中"}') +
    chunk('{"content":"\\u00e9é"}') +
    chunk('{"content":"\\ud83d\\ude42🙂"}', '"eos"') +
    chunk('{}', 'null', usage) +
    'data: [DONE]\n\n'
  const { chunks, deltas, bridge } = pass(text)
  expect(deltas).toEqual(['éé 中中', 'éé', '🙂🙂'])
  expect(chunks.map((one) => one.choices[0]!.delta.content)).toEqual(['éé 中中', 'éé', '🙂🙂', undefined])
  expect(new Set(chunks.map((one) => one.model))).toEqual(new Set(['öpen/gpt']))
  const counted = { inputTokens: 1, outputTokens: 2, raw: { prompt_tokens: 1 } }
  const [last] = chunksOf(bridge.closing(counted, { usd: '0' }))
  expect(last).toMatchObject({ model: 'öpen/gpt', vendor_note: 'éé', usage: { prompt_tokens: 1 } })
})

it('passes unchanged chunks byte for byte', () => {
  let sent = ''
  const bridge = new ChatStreamBridge(
    { ...head, includeUsage: false },
    { onEvent: (_, text) => (sent += text) },
  )
  bridge.push(Buffer.from(chunk('{"content":"a"}')))
  sent = ''
  const spaced = chunk('{ "content": "\\u00e9é" }')
  bridge.push(Buffer.from(spaced))
  expect(utf8(sent)).toContain('"choices":[{"index":0,"delta":{ "content": "\\u00e9é" }')
})

it('sends reasoning under our name for it, whatever the vendor calls it', () => {
  const { chunks, deltas } = pass(
    chunk('{"reasoning":"Hm"}') + chunk('{"reasoning":"…"}') + chunk('{"content":"Ja"}'),
  )
  expect(deltas).toEqual(['Hm', '…', 'Ja'])
  expect(chunks.map((one) => one.choices[0]!.delta)).toEqual([
    { reasoning: 'Hm', reasoning_content: 'Hm' },
    { reasoning: '…', reasoning_content: '…' },
    { content: 'Ja' },
  ])
})

it("sends no service tier that is not OpenAI's", () => {
  const tiered = (tier: string): string =>
    `data: ${open},"service_tier":"${tier}","choices":[{"index":0,"delta":{},"finish_reason":null}]}\n\n`
  const { chunks } = pass(tiered('on_demand') + tiered('on_demand') + tiered('flex'))
  expect(chunks.map((one) => one.service_tier)).toEqual([undefined, undefined, 'flex'])
})

const counted =
  chunk('{"content":"a"}') + chunk('{}', '"stop"', ',"usage":{"prompt_tokens":1,"completion_tokens":2}')

it.each(['', 'data: [DONE]', 'data: [DONE]\n', 'data: [DONE]\r\n\r\n', ': bye\n'])(
  'accepts an answer with usage that ends in %j as complete',
  (end) => expect(pass(counted + end).error).toBeUndefined(),
)

it('treats an answer whose last event is cut as broken, though its usage had arrived', () => {
  const more = 'data: {"choices":[],"moder'
  expect(pass(counted + more).error).toMatch(/before it was complete/)
})

it('treats an event of the type error as one, whatever it contains', () => {
  const error = 'event: error\ndata: {"message":"Overloaded"}\n\n'
  expect(pass(chunk('{"content":"a"}') + error).error).toBe('Overloaded')
})
