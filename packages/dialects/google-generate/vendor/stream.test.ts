import { fold, type ModelResponse, type StreamPart } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../openai-chat/caller/request.ts'
import { readAsUnderstood } from '../../testing/learnt-events.ts'
import { targetOf } from '../../testing/target.ts'
import { decodeBytes } from '../../testing/vendor-contract.ts'
import { misplacedParts } from '../../testing/well-formed.ts'
import { googleGenerate } from '../vendor.ts'

type Body = Record<string, unknown>

const candidate = (parts: Body[], more: Body = {}): Body => ({ content: { role: 'model', parts }, ...more })

function partsOf(...events: unknown[]): StreamPart[] {
  const decoder = googleGenerate.operations.generate.decoder()
  return [...events.flatMap((event) => decoder.push(event, '')), ...decoder.end()]
}

function answerOf(...events: unknown[]): ModelResponse {
  const parts = partsOf(...events)
  expect(misplacedParts(parts)).toEqual([])
  const { response, error } = fold(parts)
  expect(error).toBeUndefined()
  return response
}

const finish = (more: Body): Body => ({ candidates: [candidate([{ text: 'a' }], more)] })

const reasons: [unknown, string][] = [
  ['STOP', 'stop'],
  [1, 'stop'],
  ['MAX_TOKENS', 'length'],
  [2, 'length'],
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'unknown'],
  ['OTHER', 'unknown'],
  ['toString', 'unknown'],
]

describe('the finish of an answer from Google', () => {
  it.each(reasons)('%s', (finishReason, reason) => {
    expect(answerOf(finish({ finishReason })).choices[0]!.finish).toEqual({
      reason,
      rawReason: String(finishReason),
    })
  })

  // https://github.com/vercel/ai/issues/5217: neither in a field of the stream nor on one line.
  it('is missing if an error follows it', () => {
    const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    const event = `data: ${JSON.stringify(finish({ finishReason: 'STOP' }))}\r\n\r\n`
    const bytes = Buffer.from(event + JSON.stringify(error, null, 2).replaceAll('\n', '\r\n'))
    const folded = fold(decodeBytes(googleGenerate, [bytes]))
    expect(folded.error).toMatchObject({ type: 'service_unavailable', status: 503 })
    expect(folded.response.choices[0]!.finish).toBeUndefined()
  })

  it('is tool calls if there is a call in any event', () => {
    const call = { candidates: [candidate([{ functionCall: { name: 'x', args: {} } }])] }
    expect(answerOf(call, finish({ finishReason: 'STOP' })).choices[0]!.finish?.reason).toBe('tool-calls')
    expect(answerOf(call, finish({ finishReason: 'MAX_TOKENS' })).choices[0]!.finish?.reason).toBe('length')
  })

  it.each([
    { promptFeedback: { blockReason: 'SAFETY' } },
    { promptFeedback: { blockReason: 'SAFETY' }, candidates: [] },
  ])('is a filter if the prompt was blocked: %j', (body) => {
    const expected = [{ index: 0, blocks: [], finish: { reason: 'content-filter', rawReason: 'SAFETY' } }]
    expect(answerOf(body).choices).toEqual(expected)
    const { response } = fold(googleGenerate.operations.generate.decodeResponse(body))
    expect(response.choices).toEqual(expected)
    expect(response.extensions).toEqual({ promptFeedback: body.promptFeedback })
  })

  it.each([{ responseId: 'r', candidates: [] }, { usageMetadata: { promptTokenCount: 3 } }])(
    'is a filter in a whole answer without candidates, while such a stream broke off: %j',
    (body) => {
      const { response } = fold(googleGenerate.operations.generate.decodeResponse(body))
      expect(response.choices[0]!.finish?.reason).toBe('content-filter')
      expect(partsOf(body).at(-1)!.type).toBe('error')
    },
  )

  it('may be left out of a whole answer', () => {
    const { response, error } = fold(googleGenerate.operations.generate.decodeResponse(finish({})))
    expect(error).toBeUndefined()
    expect(response.choices[0]!.finish?.reason).toBe('unknown')
  })
})

describe('a body that is not an answer', () => {
  it.each([{}, null, [], 'x', 3, { error: { code: 500 } }, [{ error: { code: 429 } }]])(
    'is an error: %j',
    (body) => {
      expect(fold(googleGenerate.operations.generate.decodeResponse(body)).error).toBeDefined()
      expect(partsOf(body).filter(({ type }) => type === 'error')).toHaveLength(1)
    },
  )

  it('ends the answer', () => {
    const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }
    expect(partsOf(error, finish({ finishReason: 'STOP' })).map(({ type }) => type)).toEqual(['error'])
  })
})

describe('parts of Google’s answers', () => {
  it('with unexpected shapes do no harm', () => {
    const odd = [null, 3, {}, { thought: true }, { text: 5 }, { functionCall: null }, { functionCall: {} }]
    const body = {
      candidates: [
        null,
        { content: { parts: odd }, finishReason: 'STOP' },
        { content: { parts: 'x' }, finishReason: 'STOP' },
      ],
    }
    expect(fold(partsOf(body)).response.choices.map(({ index }) => index)).toEqual([1, 2])
    const stopped = {
      candidates: [{ content: null }, { content: [] }].map((one) => ({ ...one, finishReason: 'STOP' })),
    }
    expect(answerOf(stopped).choices.map(({ blocks }) => blocks)).toEqual([[], []])
  })

  it('of unknown types are kept unchanged', () => {
    const inlineData = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 's' }
    const { blocks } = answerOf({
      candidates: [candidate([inlineData], { finishReason: 'STOP', avgLogprobs: -0.1 })],
    }).choices[0]!
    expect(blocks).toEqual([
      { kind: 'raw', name: 'inlineData', text: '', values: [inlineData] },
      { kind: 'raw', name: 'avgLogprobs', text: '', values: [-0.1] },
    ])
  })

  it('are signed within a thought', () => {
    const thought = { text: 'hm', thought: true, thoughtSignature: 's' }
    const { blocks } = answerOf({ candidates: [candidate([thought], { finishReason: 'STOP' })] }).choices[0]!
    const reasoning = { format: 'google-gemini-v1' }
    expect(blocks).toEqual([{ kind: 'reasoning', text: 'hm', reasoning, signature: 's' }])
  })

  it('include the creation time', () => {
    const body = { createTime: '2026-02-15T07:50:37.854117Z', ...finish({ finishReason: 'STOP' }) }
    expect(answerOf(body).created).toBe(1771141837)
  })

  it("have log probabilities in OpenAI's shape", () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'é', logProbability: -0.5, tokenId: 3 }, { token: '!' }],
      topCandidates: [
        {
          candidates: [
            { token: 'é', logProbability: -0.5 },
            { token: 'e', logProbability: -2 },
          ],
        },
      ],
    }
    const { blocks } = answerOf(finish({ finishReason: 'STOP', logprobsResult })).choices[0]!
    const e = { token: 'é', logprob: -0.5, bytes: [195, 169] }
    expect(blocks[0]!.logprobs).toEqual([
      {
        content: [
          { ...e, top_logprobs: [e, { token: 'e', logprob: -2, bytes: [101] }] },
          { token: '!', logprob: 0, bytes: [33], top_logprobs: [] },
        ],
        refusal: null,
      },
    ])
  })

  it('include call arguments that arrive value by value, as from Vertex', () => {
    const piece = (functionCall: Body): Body => ({ candidates: [candidate([{ functionCall }])] })
    const partial = (jsonPath: string, value: Body): Body => ({
      partialArgs: [{ jsonPath, ...value }],
      willContinue: true,
    })
    const response = answerOf(
      piece({ name: 'x', willContinue: true }),
      piece(partial('$.a[0].b', { stringValue: 'one ', willContinue: true })),
      piece(partial('$.a[0].b', { stringValue: 'two' })),
      piece(partial('$.a[1]', { numberValue: 2 })),
      piece(partial("$['c d']", { boolValue: false })),
      piece(partial('$.e', { nullValue: 'NULL_VALUE' })),
      piece(partial('$.__proto__.f', { stringValue: 'g' })),
      piece(partial('$.a[99999999]', { stringValue: 'far' })),
      piece({}),
      piece({}),
      finish({ finishReason: 'STOP' }),
    )
    const [call, text] = response.choices[0]!.blocks
    expect(call!.text).toBe('{"a":[{"b":"one two"},2],"c d":false,"e":null,"__proto__":{"f":"g"}}')
    expect(text!.kind).toBe('text')
  })
})

describe('a call that comes back', () => {
  it('has its signature and its result, though the client knows about neither', () => {
    const functionCalls = [
      { functionCall: { name: 'x', args: { k: 1 } }, thoughtSignature: 'AB+/' },
      { functionCall: { name: 'x', args: { k: 2 } } },
      { functionCall: { name: 'y', args: {}, id: 'fc-7' }, thoughtSignature: 'CD==' },
    ]
    const body = { responseId: 'r-1_x', candidates: [candidate(functionCalls, { finishReason: 'STOP' })] }
    const { blocks } = answerOf(body).choices[0]!
    const calls = blocks.map(({ toolCall, text }) => ({
      id: toolCall!.id,
      type: 'function',
      function: { name: toolCall!.name, arguments: text },
    }))
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: `${index}` })).toReversed(),
    ]
    const { request } = parseRequest({ model: 'google/x', messages })
    const target = targetOf('google-generate', 'gemini-3-flash', 1)
    const { contents } = googleGenerate.operations.generate.formatRequest(request, target)
    const responses = ['x', 'x', 'y'].map((name, index) => ({ name, response: { output: `${index}` } }))
    expect((contents as unknown[]).slice(1)).toEqual([
      { role: 'model', parts: functionCalls },
      {
        role: 'user',
        parts: responses.map((one, index) => ({
          functionResponse: index === 2 ? { id: 'fc-7', ...one } : one,
        })),
      },
    ])
  })

  it('has a unique id in every answer, even without one from Google', () => {
    const body = { candidates: [candidate([{ functionCall: { name: 'x' } }], { finishReason: 'STOP' })] }
    const idOf = (): string => answerOf(body).choices[0]!.blocks[0]!.toolCall!.id
    expect(idOf()).not.toBe(idOf())
    expect(idOf()).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
  })
})

it('keeps earlier counts if a later event has none, parsed or not', () => {
  const counted = { promptTokenCount: 9, candidatesTokenCount: 4 }
  const usages = [
    counted,
    counted,
    { trafficType: 'ON_DEMAND' },
    { promptTokenCount: null },
    counted,
    counted,
  ]
  const events = usages.map((usageMetadata) => ({ candidates: [candidate([{ text: 'a' }])], usageMetadata }))
  const sent = events.map((data) => ({ event: '', data: JSON.stringify(data) }))
  expect(readAsUnderstood(() => googleGenerate.operations.generate.decoder(), sent)).toBeGreaterThan(0)
})
