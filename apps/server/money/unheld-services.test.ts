import type { VendorScript } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { suiteNode, suiteVendor } from '../../../tests/nodes/suite.ts'
import { anthropicScript, chatScript } from './testing/billed-answers.ts'

/** Services that an answer bills although nothing was held for them, or that it does not report in full. */

const pricing = { prompt: '0.000002', completion: '0.00001', web_search: '0.01' }
const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 }

const vendor = suiteVendor()
const node = suiteNode(() => {
  const model = { pricing, max_output_tokens: 1_000 }
  return {
    providers: {
      openai: { base_url: `${vendor.origin}/v1`, api_keys: ['sk-1'] },
      anthropic: { base_url: vendor.origin, api_keys: ['sk-1'] },
    },
    models: { 'openai/m': model, 'anthropic/m': model },
  }
})

async function ask(key: TestKey, script: VendorScript, body: object): Promise<Detail> {
  vendor.next({ script })
  const messages = [{ role: 'user', content: 'Hello' }]
  const response = await node.chat(key, { max_tokens: 1_000, messages, ...body })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(text).toContain('Yes')
  const id = response.headers.get('x-request-id')!
  return node.admin<Detail>(`/accounts/${key.accountId}/usage/requests/${id}`)
}

describe.each([false, true])('searches that the request did not ask for (stream: %s)', (stream) => {
  const body = { model: 'openai/m', stream }
  const searched = chatScript({ usage: { ...usage, num_search_queries: 900 } }, stream)

  test('are charged if the credit covers them', async () => {
    const rich = await node.createKey({ creditUsd: '100' })
    const { usage: counted, charge_usd: charge } = await ask(rich, searched, body)
    expect(counted).toMatchObject({ web_searches: 900, estimated: false })
    expect(charge).toBe('9.0005')
  })

  test('never take a key below zero', async () => {
    const poor = await node.createKey({ creditUsd: '0.5' })
    const { usage: counted, charge_usd: charge } = await ask(poor, searched, body)
    expect(counted).toMatchObject({ web_searches: 0, estimated: true })
    expect(charge).toBe('0.0005')
    const account = await node.admin<{ balance_usd: string }>(`/accounts/${poor.accountId}`)
    expect(account.balance_usd).toBe('0.4995')
  })
})

test.each([
  ['1h', {}, { cache_write_1h_tokens: 50, cache_write_tokens: null }],
  ['5m', {}, { cache_write_1h_tokens: null, cache_write_tokens: 50 }],
  ['1h', { ephemeral_1h_input_tokens: 20 }, { cache_write_1h_tokens: 20, cache_write_tokens: 30 }],
])(
  'a cache write for %s is recorded by its lifetime if the answer reports %j',
  async (ttl, cacheCreation, row) => {
    const key = await node.createKey()
    const cacheUsage = { cache_creation_input_tokens: 50, cache_creation: cacheCreation }
    const script = anthropicScript({ input_tokens: 100, output_tokens: 30, ...cacheUsage }, false)
    const part = { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral', ttl } }
    const body = { model: 'anthropic/m', messages: [{ role: 'user', content: [part] }] }
    expect((await ask(key, script, body)).usage).toMatchObject(row)
  },
)

interface Detail {
  charge_usd: string
  usage: Record<string, unknown>
}
