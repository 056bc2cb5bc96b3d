import { describe, expect, test } from 'vitest'
import { startTestNode } from '../nodes/test-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'
import { scripted } from './sdk-node.ts'

/** Public information about models and their providers. */

const answer = () => scripted(503, { error: { message: 'no' } }, { 'retry-after': '50' })
const vendor = suiteVendor({ vendor: { answer } })
const node = suiteNode(() => {
  const provider = { base_url: vendor.baseUrl(), api_keys: ['a-vendors-key'] }
  const pricing = { prompt: '0.000001', completion: '0.000002' }
  return {
    dashboard: { public_models: true },
    routing: { breaker: { enabled: true } },
    billing: { markup: '1.5' },
    providers: {
      openai: provider,
      second: { style: 'openai', ...provider },
    },
    models: {
      'openai/m': {
        pricing,
        upstreams: [
          { provider: 'openai', model: 'private-deployment-name' },
          { provider: 'second', model: 'm', pricing: { prompt: '0.000004', completion: '0.000005' } },
        ],
        fallbacks: ['openai/n'],
        tiers: ['SIMPLE'],
      },
      'openai/n': { pricing, upstreams: [{ provider: 'openai', model: 'n' }] },
      'acme-corp': { alias_of: 'openai/m' },
    },
  }
})
const key = suiteKey(node)

async function get(path: string): Promise<{ status: number; text: string; body: Body }> {
  const response = await fetch(`${node.origin}/api/v1/public/${path}`)
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as Body }
}

interface Body {
  data: { id: string; limits: unknown }[]
  providers: Record<string, unknown>[]
  choices: { model: string }[]
}

describe('GET /api/v1/public/models', () => {
  test('lists models and auto-routing, without the operator’s internal names', async () => {
    const { status, body, text } = await get('models')
    expect(status).toBe(200)
    const ids = body.data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['openai/m', 'openai/n', 'turnpike/auto']))
    expect(text).not.toMatch(/acme|private-deployment|a-vendors-key|127\.0\.0\.1/)
    const own = await fetch(`${node.baseUrl}/models`, { headers: { authorization: `Bearer ${key.raw}` } })
    expect(await own.text()).toContain('acme-corp')
  })

  test('shows the prices of a model’s providers with the markup, and their formats', async () => {
    const { status, body, text } = await get('models/providers?model=openai/m')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      model: 'openai/m',
      endpoints: ['chat.completions', 'messages', 'generate_content', 'responses', 'completions'],
      fallbacks: ['openai/n'],
      choices: [],
    })
    expect(body.providers).toEqual([
      {
        provider: 'openai',
        pricing: { prompt: '0.0000015', completion: '0.000003' },
        native_endpoints: ['chat.completions', 'responses'],
        state: null,
        measured: null,
      },
      {
        provider: 'second',
        pricing: { prompt: '0.000006', completion: '0.0000075' },
        native_endpoints: ['chat.completions'],
        state: null,
        measured: null,
      },
    ])
    expect(text).not.toMatch(/private-deployment|a-vendors-key|127\.0\.0\.1/)
  })

  test('contains no aliases, and shows what auto-routing chooses from', async () => {
    expect((await get('models/providers?model=acme-corp')).status).toBe(404)
    expect((await get('models/providers?model=openai/m-2025-01-01')).status).toBe(404)
    const auto = await get('models/providers?model=turnpike/auto')
    expect(auto.body).toMatchObject({ model: 'turnpike/auto', providers: [] })
    expect(auto.body.choices.map(({ model }) => model)).toContain('openai/m')
  })

  test('does not reveal for whom a provider is in cooldown', async () => {
    const asked = await node.chat(key, { model: 'openai/n', messages: [{ role: 'user', content: 'hi' }] })
    expect(asked.status).toBe(503)
    const [upstream] = (await node.admin<{ data: { state: string }[] }>('/upstreams')).data
    expect(upstream).toMatchObject({ state: 'resting', resting_accounts: 1 })
    const { body } = await get('models/providers?model=openai/n')
    expect(body.providers).toMatchObject([{ provider: 'openai', state: null }])
  })
})

test('does not exist by default', async () => {
  const closed = await startTestNode()
  for (const path of ['models', 'models/providers?model=sandbox/echo'])
    expect((await fetch(`${closed.origin}/api/v1/public/${path}`)).status).toBe(404)
  const discovery = await fetch(`${closed.origin}/api/v1/auth/discovery`)
  expect(await discovery.json()).toMatchObject({ public_models: false })
  await closed.stop()
})
