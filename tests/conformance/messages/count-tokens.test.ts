import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

const pricing = { prompt: '0.000003', completion: '0.000015' }
const system = 'Be brief.'
const messages = [{ role: 'user' as const, content: 'How many tokens is this sentence?' }]

let client: Anthropic

const vendor = suiteVendor()
const node = suiteNode(() => {
  const [anthropic, openai] = [vendor.baseUrl({}, ''), vendor.baseUrl()]
  return {
    providers: {
      anthropic: { style: 'anthropic', base_url: anthropic, api_keys: ['sk-ant'] },
      openai: { style: 'openai', base_url: openai, api_keys: ['sk'] },
    },
    models: {
      'anthropic/claude': { pricing },
      'openai/gpt': { pricing },
    },
    limits: { burst_per_key_per_second: 2 },
  }
})
const key = suiteKey(node, { creditUsd: '0' })
beforeAll(async () => {
  client = new Anthropic({ apiKey: key.raw, baseURL: node.origin, maxRetries: 0 })
})

describe('a count of tokens', () => {
  test('comes from the vendor, which is called in its own format', async () => {
    vendor.next({ script: scripted(200, { input_tokens: 2_095 }) })
    const count = await client.messages.countTokens({ model: 'anthropic/claude', system, messages })
    expect(count.input_tokens).toBe(2_095)
    const { request } = vendor.journal.entries.at(-1)!
    expect(request.path).toBe('/v1/messages/count_tokens')
    expect(JSON.parse(request.body.toString())).toEqual({ model: 'claude', system, messages })
  })

  test.each([
    ['does not have it', scripted(404, { type: 'error' })],
    ['answers nonsense', scripted(200, { input_tokens: -3 })],
  ])('comes from the gateway if the vendor %s', async (_what, script) => {
    vendor.next({ script })
    const count = await client.messages.countTokens({ model: 'anthropic/claude', system, messages })
    expect(count.input_tokens).toBeGreaterThan(5)
    expect(count.input_tokens).toBeLessThan(30)
  })

  test('comes from the gateway for other vendors, and for auto-routing', async () => {
    const asked = vendor.journal.entries.length
    for (const model of ['openai/gpt', 'turnpike/auto']) {
      const count = await client.messages.countTokens({ model, system, messages })
      expect(count.input_tokens).toBeGreaterThan(5)
    }
    expect(vendor.journal.entries).toHaveLength(asked)
  })

  test('is free, and many of them may run at once', async () => {
    const counts = Array.from({ length: 14 }, () =>
      client.messages.countTokens({ model: 'openai/gpt', messages }),
    )
    await Promise.all(counts)
    const rows = await node.admin<{ data: unknown[] }>(`/accounts/${key.accountId}/ledger`)
    expect(rows.data).toEqual([])
  })

  test('is rate limited nevertheless, and refused if the request would be', async () => {
    const other = await node.createKey({ creditUsd: '0' })
    const counting = new Anthropic({ apiKey: other.raw, baseURL: node.origin, maxRetries: 0 })
    const many = Array.from({ length: 40 }, () =>
      counting.messages.countTokens({ model: 'openai/gpt', messages }).then(
        () => 200,
        (error: { status?: number }) => error.status,
      ),
    )
    expect(await Promise.all(many)).toContain(429)
    await expect(client.messages.countTokens({ model: 'openai/nobody', messages })).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
    })
    await expect(client.messages.countTokens({ model: 'openai/gpt', messages: [] })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    })
  })
})
