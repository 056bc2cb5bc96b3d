import { CloudServer } from '@turnpike/simulators/clouds/cloud-server'
import { ManagedIdentityServer } from '@turnpike/simulators/clouds/entra'
import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { cloudEnvironment } from '../../../apps/server/credentials/testing/cloud-environment.ts'
import { scripted } from '../sdk-node.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../nodes/suite.ts'

/** An Azure resource, called with the machine's identity: its deployments become models. */

const deployments = [
  ['house-chat', 'gpt-4o', '2024-11-20', 'GlobalStandard'],
  ['house-regional', 'gpt-4o', '2024-11-20', 'Standard'],
].map(([name, model, version, sku]) => ({
  name,
  sku: { name: sku, capacity: 1 },
  properties: { model: { format: 'OpenAI', name: model, version }, provisioningState: 'Succeeded' },
}))

let identity: ManagedIdentityServer
let management: CloudServer
let environment: ReturnType<typeof cloudEnvironment>

beforeAll(async () => {
  identity = new ManagedIdentityServer()
  await identity.server.listen()
  management = await new CloudServer(() => ({ body: JSON.stringify({ value: deployments }) })).listen()
  environment = cloudEnvironment({
    IDENTITY_ENDPOINT: `${identity.server.origin}/msi/token`,
    IDENTITY_HEADER: 'identity-secret',
  })
  return async () => {
    await Promise.all([identity.server.close(), management.close()])
    environment.end()
  }
})
const vendor = suiteVendor()
const node = suiteNode(() => ({
  providers: {
    azure: {
      base_url: vendor.baseUrl({}, '/openai/v1'),
      entra: {},
      deployments: {
        subscription: '11111111-2222-3333-4444-555555555555',
        resource_group: 'house',
        account: 'house-models',
        management_url: management.origin,
      },
    },
  },
}))
const key = suiteKey(node)

async function models(): Promise<Map<string, { pricing?: { prompt: string } }>> {
  const response = await fetch(`${node.baseUrl}/models`, { headers: { authorization: `Bearer ${key.raw}` } })
  const { data } = (await response.json()) as { data: { id: string; pricing?: { prompt: string } }[] }
  return new Map(data.map((model) => [model.id, model]))
}

test('deployments are listed with the machine’s identity, at the prices of their models', async () => {
  await expect.poll(async () => (await models()).get('azure/house-chat')?.pricing?.prompt).toBe('0.0000025')
  const [asked] = management.requests
  expect(asked!.path).toBe(
    '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/house/providers/' +
      'Microsoft.CognitiveServices/accounts/house-models/deployments?api-version=2024-10-01',
  )
  expect(asked!.headers.authorization).toMatch(/^Bearer entra-token-\d$/u)
  const scopes = identity.server.requests.map(({ path }) =>
    new URLSearchParams(path.split('?')[1]).get('resource'),
  )
  expect(new Set(scopes)).toEqual(new Set(['https://cognitiveservices.azure.com', management.origin]))
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }]
  vendor.next({
    script: scripted(200, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o',
      choices,
      usage,
    }),
  })
  const openai = new OpenAI({ apiKey: key.raw, baseURL: node.baseUrl, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  await openai.chat.completions.create({ model: 'azure/house-chat', messages })
  const { request } = vendor.journal.entries.at(-1)!
  expect(request.path).toBe('/openai/v1/chat/completions')
  expect(JSON.parse(request.body.toString())).toMatchObject({ model: 'house-chat' })
  const { data } = await node.admin<{ data: object[] }>('/usage/requests?limit=1')
  expect(data[0]).toMatchObject({ cost_usd: '0.00035' })
})

test('deployments that are billed differently have no price, and are not served', async () => {
  await expect.poll(async () => (await models()).has('azure/house-chat')).toBe(true)
  const response = await node.chat(key, {
    model: 'azure/house-regional',
    messages: [{ role: 'user', content: 'x' }],
  })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(vendor.journal.entries.every(({ request }) => !request.body.includes('house-regional'))).toBe(true)
})
