import type { EmbedRequest } from '@turnpike/protocol'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { holdsForAll } from '../testing/holds-for-all.ts'
import type { BridgeHead } from '../bridge.ts'
import { encodeVector } from '../embeddings/encode.ts'
import { readEmbeddings } from '../embeddings/read-whole.ts'
import { openaiEmbeddingsCaller as format } from './caller.ts'
import { openaiEmbeddings as vendorFormat } from './vendor.ts'

const head: BridgeHead = { id: 'x', model: 'ours/m', created: 1, includeUsage: true }

function request(more: Partial<EmbedRequest> = {}): EmbedRequest {
  return {
    model: 'm',
    inputs: ['a', 'b'],
    isSingle: false,
    dimensions: undefined,
    encoding: 'float',
    inputType: undefined,
    user: undefined,
    stream: false,
    maxOutputTokens: undefined,
    extensions: {},
    ...more,
  }
}

function read(body: Buffer | string, request: EmbedRequest): { text: string; tokens: number | undefined } {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const answer = readEmbeddings({ format, vendorFormat }, bytes, head, request)
  return { text: answer.body(answer.usage, { usd: '1' }).toString(), tokens: answer.usage?.inputTokens }
}

const floats = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(seed * 1_000 + at))
const base64 = (vector: Float32Array): string => Buffer.from(vector.buffer).toString('base64')

describe('an answer in the requested encoding', () => {
  it('passes byte for byte, except for the model and the usage', () => {
    const entry = (index: number, vector: string): string =>
      `\n  {"object" : "embedding", "index": ${index}, "x": {"]": "}"}, "embedding": ${vector}}`
    const data = [entry(0, '[ 1.50, -2e-7\n]'), entry(1, '[0, 3]')].join(',')
    const before = `{"object":"list",\n "data": [${data}], "model": "`
    const usage = '{"prompt_tokens": 2, "total_tokens": 2, "cost": 9}'
    const { text, tokens } = read(`${before}theirs", "more": [true, null], "usage": ${usage} }\n`, request())
    expect(tokens).toBe(2)
    const usageJson = '{"prompt_tokens":2,"total_tokens":2,"cost_usd":"1","cost":1}'
    expect(text).toBe(`${before}ours/m", "more": [true, null], "usage": ${usageJson} }`)
  })

  it.each(['organization', 'provider', 'total_cost', 'x_groq'])(
    'passes without %s, which only concerns the operator',
    (name) => {
      const { text } = read(
        `{"data":[{"index":0,"embedding":[1]}],"${name}":"x"}`,
        request({ inputs: ['a'] }),
      )
      expect(JSON.parse(text)).toMatchObject({ data: [{ index: 0, embedding: [1] }], model: 'ours/m' })
      expect(text).not.toContain(name)
    },
  )

  it('is not parsed, however large it is', () => {
    const inputs = Array.from({ length: 2_048 }, () => 'a')
    const vector = base64(floats(1_024, 1))
    const data = inputs.map((_, index) => `{"object":"embedding","index":${index},"embedding":"${vector}"}`)
    const usage = '{"prompt_tokens":2048,"total_tokens":2048}'
    const body = Buffer.from(`{"object":"list","data":[${data.join(',')}],"model":"m","usage":${usage}}`)
    expect(body.length).toBeGreaterThan(8 * 1024 * 1024)
    const parse = vi.spyOn(JSON, 'parse')
    const { text, tokens } = read(body, request({ inputs, encoding: 'base64', dimensions: 1_024 }))
    // Everything except the vectors.
    expect(parse.mock.calls.reduce((sum, [json]) => sum + json.length, 0)).toBeLessThan(body.length / 50)
    parse.mockRestore()
    expect(tokens).toBe(2_048)
    const behind = (json: string): string => json.slice(0, json.indexOf('"model"'))
    expect(behind(text) === behind(body.toString())).toBe(true)
  })

  it('gets our usage, model or object if it has none', () => {
    const { text } = read('{"data":[{"index":0,"embedding":[1]}]}', request({ inputs: ['a'] }))
    expect(JSON.parse(text)).toEqual({
      object: 'list',
      data: [{ index: 0, embedding: [1] }],
      model: 'ours/m',
    })
  })
})

describe('a vector', () => {
  const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })
  holdsForAll('of floats is the same in both encodings', [numbers], (list) => {
    const vector = Float32Array.from(list)
    const text = Buffer.from(`[${Array.from(vector, (one) => (Object.is(one, -0) ? '-0' : one)).join(',')}]`)
    const packed = encodeVector({ encoding: 'float', text }, 'base64')
    expect(packed.toString()).toBe(base64(vector))
    const unpacked = JSON.parse(
      encodeVector({ encoding: 'base64', text: packed }, 'float').toString(),
    ) as number[]
    expect(unpacked).toEqual(Array.from(vector))
  })

  it.each([
    ['words', '["a"]'],
    ['a list in it', '[1, [2]]'],
    ['nothing', 'null'],
    ['an object', '{}'],
    ['a control character', '[1,\u0001 2]'],
    ['half a float', '"AAA="'],
    ['no base64', '"AAA!AAA?"'],
    ['an empty text', '""'],
  ])('must not be %s', (_, embedding) => {
    const body = `{"data":[{"index":0,"embedding":${embedding}}],"usage":{"prompt_tokens":1}}`
    expect(() => read(body, request({ inputs: ['a'] }))).toThrow(/unusable/)
  })
})

describe('an answer that was cut', () => {
  const whole =
    '{"object":"list","data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3]}],"usage":{}}'

  it('is refused, wherever it was cut', () => {
    for (let length = 0; length < whole.length; length++)
      expect(() => read(whole.slice(0, length), request()), String(length)).toThrow(/unusable/)
    expect(read(whole, request()).tokens).toBeUndefined()
  })

  const places = fc.nat(whole.length - 1)
  holdsForAll('or has a wrong byte is read or refused', [places, fc.nat(255)], (at, byte) => {
    const body = Buffer.from(whole)
    body[at] = byte
    let text: string
    try {
      text = read(body, request()).text
    } catch (error) {
      expect((error as { status?: number }).status).toBe(502)
      return
    }
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })
})
