import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { scripted, startSdkNode, thrownBy } from '../sdk-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

const model = 'openai/text-embedding-3-small'

const world = await suiteWorld(startSdkNode())

type Body = Omit<OpenAI.EmbeddingCreateParams, 'model'>

const embed = (body: Body): Promise<OpenAI.CreateEmbeddingResponse> =>
  world.client.embeddings.create({ model, ...body })

const cosine = (a: number[], b: number[]): number => a.reduce((sum, one, at) => sum + one * b[at]!, 0)

describe('OpenAI’s SDK', () => {
  it.each(['float', undefined] as const)('gets vectors as %s', async (encoding) => {
    const input = ['the cat sat on the mat', 'a cat on a mat', 'quarterly earnings']
    const { data, response } = await world.client.embeddings
      .create({ model, input, ...(encoding !== undefined && { encoding_format: encoding }) })
      .withResponse()
    expect(data).toMatchObject({ object: 'list', model })
    expect(data.data.map(({ index }) => index)).toEqual([0, 1, 2])
    const [first, second, third] = data.data.map(({ embedding }) => embedding)
    expect(cosine(first!, second!)).toBeGreaterThan(cosine(first!, third!))
    expect(data.usage).toMatchObject({ prompt_tokens: 14, total_tokens: 14, cost_usd: '0.00000028' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'x-turnpike-model': model,
      'x-turnpike-provider': 'openai',
      'x-turnpike-attempts': '1',
      'x-turnpike-cost': '0.00000028',
    })
    // By default the SDK requests base64 and decodes it.
    expect(world.lastRequest().json['encoding_format']).toBe(encoding ?? 'base64')
  })

  it('passes on tokens, dimensions and a user', async () => {
    const body = { input: [[1, 2, 3], [4]], dimensions: 8, user: 'u-1', encoding_format: 'float' as const }
    const { data, usage } = await embed(body)
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8])
    expect(usage.prompt_tokens).toBe(4)
    expect(world.lastRequest().json).toEqual({ model: 'text-embedding-3-small', ...body })
  })

  it.each<[string, object, string]>([
    ['no input', {}, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['an empty text among others', { input: ['a', 'b', 'c', ''] }, 'input[3]'],
    ['no texts', { input: [] }, 'input'],
    ['an empty list of tokens', { input: [[1], []] }, 'input[1]'],
    ['half a token', { input: [1.5] }, 'input[0]'],
    ['a negative token', { input: [[1], [2, -1]] }, 'input[1][1]'],
    ['zero dimensions', { input: 'a', dimensions: 0 }, 'dimensions'],
    ['another encoding', { input: 'a', encoding_format: 'int8' }, 'encoding_format'],
    ['a stream', { input: 'a', stream: true }, 'stream'],
    ['a fallback model', { input: 'a', models: ['openai/text-embedding-3-large'] }, 'models'],
  ])('gets an error that names %s', async (_, body, param) => {
    const before = world.vendor.journal.entries.length
    const error = await thrownBy(embed({ encoding_format: 'float', ...body } as Body))
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param })
    expect(world.vendor.journal.entries).toHaveLength(before)
  })

  it.each([
    ['auto', 'auto'],
    ['a chat model', 'openai/gpt-4o-mini'],
  ])('gets an error for %s', async (_, name) => {
    const error = await thrownBy(world.client.embeddings.create({ model: name, input: 'a' }))
    expect(error).toMatchObject({ status: 400, param: 'model' })
  })

  it('cannot request a completion from an embeddings model', async () => {
    const asked = world.client.chat.completions.create({ model, messages: [{ role: 'user', content: 'a' }] })
    expect(await thrownBy(asked)).toMatchObject({ status: 400, param: 'model' })
  })
})

describe('a vendor’s answer', () => {
  const answered = async (body: unknown, asked: Body): Promise<OpenAI.CreateEmbeddingResponse> => {
    world.vendor.director.next({ script: scripted(200, body) })
    return embed(asked)
  }
  const entry = (index: number, embedding: unknown): object => ({ object: 'embedding', index, embedding })
  const usage = { prompt_tokens: 2, total_tokens: 2 }

  it('is sorted', async () => {
    const body = { object: 'list', data: [entry(1, [2, 2]), entry(0, [1, 1])], model: 'x', usage }
    const { data } = await answered(body, { input: ['a', 'b'], encoding_format: 'float' })
    expect(data).toEqual([entry(0, [1, 1]), entry(1, [2, 2])])
  })

  it('is converted to base64 if the caller requests that', async () => {
    const body = { object: 'list', data: [entry(0, [0.5, -0.25])], model: 'x', usage }
    const { data } = await answered(body, { input: 'a' })
    expect(data[0]!.embedding).toEqual([0.5, -0.25])
  })

  it('is converted from base64 to numbers if the caller requests that', async () => {
    const bytes = Buffer.from(Float32Array.from([0.1, -2]).buffer).toString('base64')
    const body = { object: 'list', data: [entry(0, bytes)], model: 'x', usage }
    const { data } = await answered(body, { input: 'a', encoding_format: 'float' })
    expect(data[0]!.embedding).toEqual([Math.fround(0.1), -2])
  })

  it.each<[string, unknown, Body]>([
    ['with too few vectors', { data: [entry(0, [1])], usage }, { input: ['a', 'b'] }],
    ['with two for one input', { data: [entry(0, [1]), entry(0, [2])], usage }, { input: ['a', 'b'] }],
    ['of other dimensions', { data: [entry(0, [1])], usage }, { input: 'a', dimensions: 2 }],
    ['without vectors', { object: 'list', usage }, { input: 'a' }],
    ['that is not JSON', '{"data": [{"embedding": [1, 2', { input: 'a' }],
    ['of words', { data: [entry(0, 'not base64!')], usage }, { input: 'a' }],
  ])('%s is invalid', async (_, body, asked) => {
    const error = await thrownBy(answered(body, { encoding_format: 'float', ...asked }))
    expect(error).toMatchObject({ status: 502, type: 'upstream_error' })
  })

  it("with impossible usage is charged by the gateway's count", async () => {
    const body = { object: 'list', data: [entry(0, [1])], model: 'x', usage: { prompt_tokens: 9e9 } }
    const { usage: told } = await answered(body, { input: 'two words', encoding_format: 'float' })
    expect(told).toMatchObject({ prompt_tokens: 2, cost_usd: '0.00000004' })
  })
})
