import { fold, type ModelResponse, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { decodeBytes, decodeEvents } from '../../testing/vendor-contract.ts'
import { misplacedParts } from '../../testing/well-formed.ts'
import { openaiChat } from '../vendor.ts'

/*
 * Deviations of vendors that speak OpenAI's format, each with a shape from a recording or from the vendor's
 * documentation. `recorded-answers.test.ts` reads the recordings themselves.
 */

const envelope = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' }
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }
const counts = { inputTokens: 20, outputTokens: 9, raw: usage }

type Chunk = Record<string, unknown>

function chunk(delta: object, finishReason: unknown = null, more: object = {}): Chunk {
  return { ...envelope, choices: [{ index: 0, delta, finish_reason: finishReason, ...more }] }
}

function partsOf(...chunks: unknown[]): StreamPart[] {
  const parts = decodeEvents(
    openaiChat,
    [...chunks, '[DONE]'].map((data) => ({ event: '', data })),
  )
  expect(misplacedParts(parts)).toEqual([])
  return parts
}

function answerOf(...chunks: unknown[]): ModelResponse {
  const { response, error } = fold(partsOf(...chunks))
  expect(error).toBeUndefined()
  return response
}

function blocksOf(...chunks: unknown[]): unknown[] {
  return answerOf(...chunks, chunk({}, 'stop')).choices[0]!.blocks
}

describe('usage in unusual places', () => {
  it.each<[string, Chunk]>([
    ["in Groq's own field", { ...chunk({}, 'stop'), x_groq: { id: 'r', usage } }],
    ['in the choice, at Moonshot', chunk({}, 'stop', { usage })],
    ['in the chunk of the finish', { ...chunk({}, 'stop'), usage }],
  ])('is counted: %s', (_place, last) => {
    expect(answerOf(chunk({ content: 'a' }), last).usage).toEqual(counts)
  })

  it('is the last one if each chunk has one, as at Perplexity', () => {
    const first = { ...usage, completion_tokens: 1 }
    const chunks = [
      { ...chunk({ content: 'a' }), usage: first },
      { ...chunk({}, 'stop'), usage },
    ]
    expect(answerOf(...chunks).usage).toEqual(counts)
  })

  it('may follow a repeated choice, as at OpenRouter', () => {
    const chunks = [
      chunk({ content: 'a' }),
      chunk({ content: '' }, 'stop'),
      { ...chunk({ content: '' }, 'stop'), usage },
    ]
    expect(answerOf(...chunks).usage).toEqual(counts)
  })
})

describe('reasoning', () => {
  const text = { kind: 'reasoning', text: 'Let me think' }

  it.each(['reasoning', 'reasoning_content'])('is text in %s', (field) => {
    expect(blocksOf(chunk({ [field]: 'Let me ' }), chunk({ [field]: 'think' }))).toEqual([text])
  })

  it('is decoded once if both fields have it', () => {
    expect(blocksOf(chunk({ reasoning: 'Let me think', reasoning_content: 'Let me think' }))).toEqual([text])
  })

  const format = 'anthropic-claude-v1'
  const detail = (more: object): object => ({ type: 'reasoning.text', format, index: 0, ...more })

  it("has its proof in OpenRouter's details", () => {
    const blocks = blocksOf(
      chunk({ content: '', reasoning: null, reasoning_details: [detail({ text: '', signature: '' })] }),
      chunk({ reasoning: 'Let me ', reasoning_details: [detail({ text: 'Let me ' })] }),
      chunk({ reasoning: 'think', reasoning_details: [detail({ text: 'think' })] }),
      chunk({ content: '', reasoning_details: [detail({ signature: 'c2ln' })] }),
      chunk({ content: 'Yes', reasoning: null, reasoning_details: [] }),
    )
    expect(blocks).toEqual([
      { ...text, reasoning: { format }, signature: 'c2ln' },
      { kind: 'text', text: 'Yes' },
    ])
  })

  it('is several blocks if the details are', () => {
    const signed = { ...text, reasoning: { format }, signature: 's1' }
    const blocks = blocksOf(
      chunk({ reasoning_details: [detail({ text: 'Let me think', signature: 's1' })] }),
      chunk({ reasoning_details: [detail({ text: 'More', signature: 's2', index: 1 })] }),
      chunk({
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'b3Bh', format, id: 'r', index: 2 }],
      }),
    )
    expect(blocks).toEqual([
      signed,
      { kind: 'reasoning', text: 'More', reasoning: { format }, signature: 's2' },
      { kind: 'reasoning', text: '', reasoning: { format, id: 'r' }, encrypted: 'b3Bh' },
    ])
  })

  it('is a summary with the encrypted original, from OpenAI through OpenRouter', () => {
    const head = { format: 'openai-responses-v1', id: 'rs_1' }
    const blocks = blocksOf(
      chunk({
        reasoning: 'Let me ',
        reasoning_details: [{ type: 'reasoning.summary', summary: 'Let me ', ...head, index: 0 }],
      }),
      chunk({
        reasoning: 'think',
        reasoning_details: [{ type: 'reasoning.summary', summary: 'think', ...head, index: 0 }],
      }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'b3Bh', ...head, index: 0 }] }),
    )
    expect(blocks).toEqual([
      { ...text, reasoning: head },
      { kind: 'reasoning', text: '', reasoning: head, encrypted: 'b3Bh' },
    ])
  })

  it('is plain text beside details that contain none', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'b3Bh', format: 'google-gemini-v1' }]
    expect(blocksOf(chunk({ reasoning: 'Let me think', reasoning_details: details }))).toEqual([
      text,
      { kind: 'reasoning', text: '', reasoning: { format: 'google-gemini-v1' }, encrypted: 'b3Bh' },
    ])
  })

  it('keeps an unknown type of detail', () => {
    const details = [{ type: 'reasoning.dream', data: 1 }]
    expect(blocksOf(chunk({ reasoning_details: details }))).toMatchObject([
      { kind: 'raw', name: 'reasoning_details', values: [details] },
    ])
  })

  it("is one block beside Groq's channel, which is kept once", () => {
    const blocks = blocksOf(
      chunk({ reasoning: 'Let me ', channel: 'analysis' }),
      chunk({ reasoning: 'think', channel: 'analysis' }),
    )
    expect(blocks).toEqual([text, { kind: 'raw', text: '', name: 'channel', values: ['analysis'] }])
  })
})

describe('tool calls', () => {
  const call = (more: object, name?: string, text?: string): object => ({
    ...more,
    function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
  })
  const calls = (...deltas: object[][]): unknown[] =>
    blocksOf(...deltas.map((one) => chunk({ tool_calls: one }))).map((block) => {
      const { toolCall, text } = block as { toolCall: { id: string; name: string }; text: string }
      return [toolCall.id, toolCall.name, text]
    })

  it('are told apart by their ids if they have no index', () => {
    expect(calls([call({ id: 'a' }, 'f', '{"x":1}')], [call({ id: 'b' }, 'g', '{}')])).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{}'],
    ])
  })

  it('continue the last one if a delta has neither index nor id', () => {
    expect(calls([call({ id: 'a' }, 'f', '{"x"')], [call({}, undefined, ':1}')])).toEqual([
      ['a', 'f', '{"x":1}'],
    ])
  })

  it('are told apart if all have the same index', () => {
    const deltas = [[call({ index: 0, id: 'a' }, 'f', '{}')], [call({ index: 0, id: 'b' }, 'g', '{"y"')]]
    expect(calls(...deltas, [call({ index: 0 }, undefined, ':2}')])).toEqual([
      ['a', 'f', '{}'],
      ['b', 'g', '{"y":2}'],
    ])
  })

  it('continue under an empty id, as at Alibaba, and may start at index 1', () => {
    const deltas = [[call({ index: 1, id: 'a' }, 'f', '')], [call({ index: 1, id: '' }, undefined, '{}')]]
    expect(calls(...deltas)).toEqual([['a', 'f', '{}']])
  })

  it('get an id each if the vendor sends none, or "null" as in Mistral\'s schema', () => {
    const deltas = [
      [call({ id: 'null' }, 'f', '{}'), call({ id: 'null' }, 'f', '{"y":2}')],
      [call({}, 'g', '{}')],
    ]
    const ids = calls(...deltas).map((one) => (one as [string])[0])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^call_\w+$/)
  })

  it('without arguments get an empty object', () => {
    expect(calls([call({ index: 0, id: 'a' }, 'f', '')], [call({ index: 1, id: 'b' }, 'g')])).toEqual([
      ['a', 'f', '{}'],
      ['b', 'g', '{}'],
    ])
  })
})

describe('the finish', () => {
  it.each<[unknown, string, string]>([
    ['eos', 'stop', 'eos'],
    ['COMPLETE', 'stop', 'COMPLETE'],
    ['model_context_window_exceeded', 'length', 'model_context_window_exceeded'],
    ['sensitive', 'content-filter', 'sensitive'],
    ['constructor', 'unknown', 'constructor'],
    [1, 'unknown', '1'],
  ])('decodes %j as %s', (finish, reason, rawReason) => {
    expect(answerOf(chunk({ content: 'a' }), chunk({}, finish)).choices[0]!.finish).toEqual({
      reason,
      rawReason,
    })
  })

  it.each(['error', 'network_error', 'abort', 'insufficient_system_resource'])(
    'is an error for %s',
    (finish) => {
      const { response, error } = fold(partsOf(chunk({ content: 'a' }), { ...chunk({}, finish), usage }))
      expect(error?.detail).toContain(finish)
      expect(response.usage).toEqual(counts)
    },
  )

  it('has the message of the error beside it', () => {
    const { error } = fold(partsOf(chunk({}, 'error', { error: { message: 'gone', code: 502 } })))
    expect(error?.message).toBe('gone')
  })

  it.each<[string, Chunk]>([
    [
      'beside a choice that goes on, at OpenRouter',
      chunk({}, null, { error: { message: 'gone', code: 429 } }),
    ],
    ['in Groq’s own field', { ...chunk({}, 'stop'), x_groq: { error: 'gone' } }],
  ])('does not count as one if there is an error %s', (_place, last) => {
    const { response, error } = fold(partsOf(chunk({ content: 'a' }), { ...last, usage }))
    expect(error?.message).toBe('gone')
    expect(response.usage).toEqual(counts)
  })

  it.each([
    ['with the usage', { usage }],
    ['without it', {}],
  ])('is enough without [DONE], %s', (_how, members) => {
    const events = [
      { ...chunk({ content: 'a' }), usage: null },
      { ...chunk({}, 'stop'), ...members },
    ]
    const parts = decodeEvents(
      openaiChat,
      events.map((data) => ({ event: '', data })),
    )
    expect(fold(parts).error).toBeUndefined()
  })

  it('is not enough if the connection broke, unless the usage or [DONE] had arrived', () => {
    const broken = (last: object): unknown => {
      const decoder = openaiChat.operations.generate.decoder()
      return [decoder.push(last, ''), decoder.end(true)].flat().some(({ type }) => type === 'error')
    }
    expect([broken(chunk({}, 'stop')), broken({ ...chunk({}, 'stop'), usage })]).toEqual([true, false])
  })
})

describe('the stream itself', () => {
  it("has its head from the chunk after Azure's filter result for the prompt", () => {
    const verdict = {
      choices: [],
      created: 0,
      id: '',
      model: '',
      object: '',
      prompt_filter_results: [{ prompt_index: 0 }],
    }
    const { id, model, created, extensions } = answerOf(verdict, chunk({ content: 'a' }), chunk({}, 'stop'))
    expect({ id, model, created }).toEqual({ id: 'c1', model: 'm', created: 1_700_000_000 })
    expect(extensions).toEqual({ prompt_filter_results: [{ prompt_index: 0 }] })
  })

  it('may have CRLF, comments, empty data and padding', () => {
    const lines = [
      ': OPENROUTER PROCESSING',
      '',
      'data:',
      '',
      `data:   ${JSON.stringify(chunk({ content: 'a' }))}  `,
      '',
      `data: ${JSON.stringify({ ...chunk({}, 'stop'), usage })}`,
      '',
      'data: [DONE]',
      '',
      '',
    ]
    const expected = partsOf(chunk({ content: 'a' }), { ...chunk({}, 'stop'), usage })
    expect(decodeBytes(openaiChat, [Buffer.from(lines.join('\r\n'))])).toEqual(expected)
  })

  it('keeps citations of the answer and of the message', () => {
    const citations = ['https://a.test']
    const response = answerOf(
      { ...chunk({ content: 'a' }), citations },
      chunk({ annotations: [{ url: 'a' }] }),
      chunk({ annotations: [{ url: 'b' }] }),
      chunk({}, 'stop'),
    )
    expect(response.extensions).toEqual({ citations })
    expect(response.choices[0]!.blocks[1]).toMatchObject({
      name: 'annotations',
      values: [[{ url: 'a' }], [{ url: 'b' }]],
    })
  })

  it('is complete despite padding before the JSON', () => {
    const body = {
      ...envelope,
      choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }],
      usage,
    }
    const parts = openaiChat.operations.generate.decodeResponse(
      JSON.parse(`\n         \n${JSON.stringify(body)}`),
    )
    expect(fold(parts)).toMatchObject({ error: undefined, response: { usage: counts } })
  })
})
