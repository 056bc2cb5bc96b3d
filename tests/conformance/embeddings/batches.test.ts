import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import OpenAI from 'openai'
import type { VendorRequest, VendorServer } from '@turnpike/simulators'
import { scripted, thrownBy } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

const model = 'openai/text-embedding-3-small'
const texts = (length: number): string[] => Array.from({ length }, (_, index) => `text number ${index}`)

let client: OpenAI

const first = suiteVendor()
const second = suiteVendor()
const node = suiteNode(() => ({
  providers: {
    openai: { base_url: first.baseUrl(), api_keys: ['sk-a'] },
    other: { vendor: 'openai', base_url: second.baseUrl(), api_keys: ['sk-b'] },
  },
  models: {
    [model]: {
      upstreams: [
        { provider: 'openai', model: 'text-embedding-3-small' },
        { provider: 'other', model: 'text-embedding-3-small' },
      ],
    },
  },
}))
const key = suiteKey(node)
beforeAll(async () => {
  client = new OpenAI({ apiKey: key.raw, baseURL: node.baseUrl, maxRetries: 0 })
})

const inputsOf = ({ body }: VendorRequest): unknown[] =>
  (JSON.parse(body.toString()) as { input: unknown[] }).input

function asked(vendor: VendorServer, from = 0): number[] {
  return vendor.journal.entries.slice(from).map(({ request }) => inputsOf(request).length)
}

describe('more inputs than a vendor takes at once', () => {
  it('are sent in batches, and returned in their order', async () => {
    const input = texts(4_500)
    const whole = await client.embeddings.create({ model, input, dimensions: 4 })
    expect(asked(first).toSorted((a, b) => a - b)).toEqual([404, 2_048, 2_048])
    expect(whole.data.map(({ index }) => index)).toEqual(input.map((_, index) => index))
    const at = [0, 2_047, 2_048, 4_499]
    const few = await client.embeddings.create({
      model,
      input: at.map((index) => input[index]!),
      dimensions: 4,
    })
    expect(at.map((index) => whole.data[index]!.embedding)).toEqual(
      few.data.map(({ embedding }) => embedding),
    )
    const counted = input.reduce((sum, text) => sum + Math.ceil(text.length / 8), 0)
    const { prompt_tokens: tokens, cost_usd: cost } = whole.usage as unknown as Record<string, number>
    expect(tokens).toBeGreaterThanOrEqual(counted - input.length)
    // 0.02 USD per million tokens, exact to the pico-dollar.
    expect(BigInt(tokens!) * 20_000n).toBe(BigInt(Math.round(Number(cost) * 1e12)))
  })

  it('go to the next upstream if a batch fails, except those that were answered', async () => {
    const before = { first: first.journal.entries.length, second: second.journal.entries.length }
    first.next({})
    first.next({ script: scripted(500, { error: { message: 'broken' } }) })
    const { data, usage } = await client.embeddings.create({ model, input: texts(3_000), dimensions: 2 })
    expect(data).toHaveLength(3_000)
    expect(usage.prompt_tokens).toBeGreaterThan(3_000)
    expect(asked(first, before.first).toSorted((a, b) => a - b)).toEqual([952, 2_048])
    const again = asked(second, before.second)
    expect(again.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3_000)
    expect(again.length).toBeGreaterThan(0)
  })

  it('fail if a batch returns too few vectors', async () => {
    const short = scripted(200, { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 1 } })
    for (const vendor of [first, second])
      for (let times = 0; times < 2; times++) vendor.next({ script: short })
    const error = await thrownBy(client.embeddings.create({ model, input: texts(2_100), dimensions: 2 }))
    expect(error).toMatchObject({ status: 502, type: 'upstream_error' })
    for (const vendor of [first, second]) vendor.director.forgetPlans()
  })

  it.each([1, 2_100])('are counted by the gateway if a vendor reports zeros: %d', async (count) => {
    const answered = (vectors: number): object => {
      const data = Array.from({ length: vectors }, (_, index) => ({ index, embedding: [1, 2] }))
      return { data, usage: { prompt_tokens: 0, total_tokens: 0 } }
    }
    for (const vectors of count === 1 ? [1] : [2_048, 52])
      first.next({ script: scripted(200, answered(vectors)) })
    const { usage } = await client.embeddings.create({ model, input: texts(count), dimensions: 2 })
    expect(usage.prompt_tokens).toBeGreaterThan(2 * count)
  })

  it('are refused before any call if no response has room for their vectors', async () => {
    const before = first.journal.total
    const many = { model, input: texts(6_000), encoding_format: 'float' as const }
    const error = await thrownBy(client.embeddings.create({ ...many, dimensions: 1_536 }))
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'input' })
    expect(error.message).toContain('expected at most 5442')
    expect(first.journal.total).toBe(before)
    const base64 = await client.embeddings.create({ ...many, dimensions: 4, encoding_format: 'base64' })
    expect(base64.data).toHaveLength(6_000)
  })

  it('start again from the beginning if the batches do not fit together', async () => {
    const before = second.journal.entries.length
    const answered = (vectors: number, embedding: unknown): object => {
      const data = Array.from({ length: vectors }, (_, index) => ({ index, embedding }))
      return { data, usage: { prompt_tokens: vectors } }
    }
    const notANumber = Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString('base64')
    const wrongs = [
      { wrong: notANumber, more: { dimensions: 2, encoding_format: 'float' } },
      { wrong: [1, 2, 3], more: {} },
    ] as const
    for (const { wrong, more } of wrongs) {
      first.director.forgetPlans()
      first.next({ script: scripted(200, answered(2_048, wrong)) })
      first.next({ script: scripted(200, answered(52, [1, 2])) })
      const { data } = await client.embeddings.create({ model, input: texts(2_100), ...more })
      expect(data).toHaveLength(2_100)
      expect(new Set(data.map(({ embedding }) => embedding.length)).size).toBe(1)
    }
    expect(asked(second, before).toSorted((a, b) => a - b)).toEqual([52, 52, 2_048, 2_048])
    for (const vendor of [first, second]) vendor.director.forgetPlans()
  })

  it('end if the client leaves, and the batches already sent are charged', async () => {
    const leave = new AbortController()
    const input = ['[sandbox: delay=3s] slow', ...texts(2_100)]
    const gone = client.embeddings
      .create({ model, input, dimensions: 2 }, { signal: leave.signal })
      .catch(() => 'gone')
    await wait(400)
    leave.abort()
    expect(await gone).toBe('gone')
    await expect
      .poll(
        async () => {
          const { data } = await node.admin<{ data: object[] }>(
            `/accounts/${key.accountId}/usage/requests?limit=1`,
          )
          return data[0]
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ outcome: 'client_closed', endpoint: 'embeddings' })
  })
})
