import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import type { TestKey } from '../nodes/test-node.ts'
import { suiteKey, suiteNode } from '../nodes/suite.ts'

const pricing = { prompt: '0.000001', completion: '0.000002' }
const upstreams = [{ provider: 'sandbox', model: 'echo' }]
const tier = ['local/small']
const messages = [{ role: 'user' as const, content: 'hello' }]

interface Listed {
  id: string
  pricing: object
}

/** Aliases: clients use the model names that they know, and the configuration maps them. */
describe('an alias of a model', () => {
  const node = suiteNode({
    providers: { sandbox: { style: 'sandbox' }, anthropic: { api_keys: ['sk-unused'] } },
    models: {
      'local/small': { pricing, upstreams, context_length: 100_000 },
      'claude-sonnet-4-6': { alias_of: 'local/small' },
      'claude-haiku-4-5': { alias_of: 'local/small' },
      'acme/fast': { alias_of: 'local/small' },
      'claude-opus-4-8': { alias_of: 'turnpike/auto' },
    },
    routing: { auto: { tiers: { SIMPLE: tier, MEDIUM: tier, COMPLEX: tier, REASONING: tier } } },
  })
  const key = suiteKey(node)

  const get = async (path: string, of: TestKey, headers = {}): Promise<Response> =>
    fetch(node.baseUrl + path, { headers: { authorization: `Bearer ${of.raw}`, ...headers } })

  test.each(['claude-sonnet-4-6', 'acme/fast', 'claude-haiku-4-5-20251001', 'claude-opus-4-8'])(
    '%s is served by its model, which the answer names',
    async (model) => {
      const answer = await node.chat(key, { model, messages })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-turnpike-model')).toBe('local/small')
      expect(((await answer.json()) as { model: string }).model).toBe('local/small')
    },
  )

  test('works on Messages, for a count of tokens, and in a list of models', async () => {
    const client = new Anthropic({ authToken: key.raw, baseURL: node.origin, maxRetries: 0 })
    const message = await client.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 64, messages })
    expect(message.model).toBe('local/small')
    const count = await client.messages.countTokens({ model: 'claude-opus-4-8', messages })
    expect(count.input_tokens).toBeGreaterThan(0)
    const answer = await node.chat(key, { model: 'auto', models: ['acme/fast', 'claude-opus-4-8'], messages })
    expect(answer.status).toBe(200)
  })

  test('does not hide a real model of that name from its full name', async () => {
    const models = await (await get('/models/anthropic/claude-sonnet-4-6', key)).json()
    expect(models).toMatchObject({ id: 'anthropic/claude-sonnet-4-6', owned_by: 'anthropic' })
  })

  test('is recorded as the requested model', async () => {
    await node.chat(key, { model: 'acme/fast', messages })
    const { data } = await node.admin<{ data: { model_asked: string; model_served: string }[] }>(
      `/accounts/${key.accountId}/usage/requests?days=1&limit=100`,
    )
    expect(data.find(({ model_asked: asked }) => asked === 'acme/fast')).toMatchObject({
      model_served: 'local/small',
    })
  })

  test('is listed in both formats, with the prices of its model', async () => {
    const plain = (await (await get('/models', key)).json()) as { data: Listed[] }
    const target = plain.data.find(({ id }) => id === 'local/small')!
    for (const id of ['claude-sonnet-4-6', 'acme/fast'])
      expect(plain.data.find((one) => one.id === id)).toEqual({ ...target, id })
    const version = { 'anthropic-version': '2023-06-01' }
    const page = (await (await get('/models?limit=1000', key, version)).json()) as { data: Listed[] }
    expect(page.data.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-opus-4-8', 'acme/fast']),
    )
    for (const id of ['claude-sonnet-4-6', 'claude-opus-4-8', 'acme/fast'])
      expect(await (await get(`/models/${id}`, key, version)).json()).toMatchObject({ type: 'model', id })
  })

  test.each([
    ['the model', ['local/small'], ['acme/fast', 'claude-haiku-4-5', 'claude-sonnet-4-6', 'local/small']],
    ['the alias alone', ['acme/fast'], ['acme/fast']],
    ['another model', ['sandbox/echo'], ['sandbox/echo']],
  ])('is allowed for a key whose list contains %s', async (_what, allowedModels, expected) => {
    const limited = await node.createKey({ allowedModels })
    const { data } = (await (await get('/models', limited)).json()) as { data: Listed[] }
    const ids = data.map(({ id }) => id)
    expect(ids.filter((id) => !id.startsWith('turnpike/') && id !== 'claude-opus-4-8')).toEqual(expected)
    for (const id of ['acme/fast', 'local/small']) {
      const status = expected.includes(id) ? 200 : 403
      expect((await node.chat(limited, { model: id, messages })).status).toBe(status)
      expect((await get(`/models/${id}`, limited)).status).toBe(status)
    }
  })

  test('of auto-routing is allowed if auto-routing or the alias is allowed', async () => {
    for (const allowedModels of [['turnpike/auto'], ['claude-opus-4-8']]) {
      const limited = await node.createKey({ allowedModels })
      expect((await node.chat(limited, { model: 'claude-opus-4-8', messages })).status).toBe(200)
      const { data } = (await (await get('/models', limited)).json()) as { data: Listed[] }
      expect(data.map(({ id }) => id)).toContain('claude-opus-4-8')
      expect((await get('/models/claude-opus-4-8', limited)).status).toBe(200)
    }
  })
})
