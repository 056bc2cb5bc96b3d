import { CloudServer, type CloudAnswer } from '@turnpike/simulators/clouds/cloud-server'
import { UndiciUpstreamClient } from '@turnpike/gateway'
import { readVendorData, type Provider } from '@turnpike/vendors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildCatalog, type ModelSources } from '../build-catalog.ts'
import { resolveConfiguration } from '../configuration/resolve/resolve.ts'
import { parseConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { listDeployments, type Deployment } from './list-deployments.ts'
import { watchDeployments } from './watch-deployments.ts'
import { withDeployments } from './with-deployments.ts'

const client = new UndiciUpstreamClient()
let answer: (path: string) => CloudAnswer
let azure: CloudServer

beforeEach(async () => {
  azure = await new CloudServer(({ path }) => answer(path)).listen()
})
afterEach(() => azure.close())

function listed(name: string, model: string, more: { version?: string; sku?: string; state?: string } = {}) {
  const { version = '2024-08-06', sku = 'GlobalStandard', state = 'Succeeded' } = more
  return {
    name,
    type: 'Microsoft.CognitiveServices/accounts/deployments',
    sku: { name: sku, capacity: 10 },
    properties: { model: { format: 'OpenAI', name: model, version }, provisioningState: state },
  }
}

const json = (body: object, status = 200): CloudAnswer => ({ status, body: JSON.stringify(body) })

describe("the list of a resource's deployments", () => {
  it('is read page by page, and contains those that can be called', async () => {
    answer = (path) =>
      path.includes('page=2')
        ? json({ value: [listed('old', 'gpt-4o', { state: 'Failed' }), listed('mini', 'gpt-4o-mini')] })
        : json({ value: [listed('chat', 'gpt-4o')], nextLink: `${azure.origin}/list?page=2` })
    const found = await listDeployments(`${azure.origin}/list`, 'a-token', client)
    expect(found.map(({ name, model, sku }) => [name, model, sku])).toEqual([
      ['chat', 'gpt-4o', 'GlobalStandard'],
      ['mini', 'gpt-4o-mini', 'GlobalStandard'],
    ])
    expect(azure.requests[0]!.headers).toMatchObject({ authorization: 'Bearer a-token' })
  })

  it.each<[string, () => CloudAnswer, RegExp]>([
    [
      'the next page is on another host',
      () => json({ value: [], nextLink: 'http://127.0.0.1:1/x' }),
      /another host/,
    ],
    ['pages have no end', () => json({ value: [], nextLink: `${azure.origin}/list` }), /more than 20 pages/],
    ['access is forbidden', () => json({ error: { code: 'AuthorizationFailed' } }, 403), /answered 403/],
    ['it is HTML instead of JSON', () => ({ type: 'text/html', body: '<html>' }), /no list/],
    ['something else', () => json({ value: 'x' }), /no list/],
    [
      'it is a redirect',
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }),
      /302/,
    ],
    ['it is too long', () => ({ body: JSON.stringify({ value: ['x'.repeat(5_000_000)] }) }), /longer than/],
  ])('is rejected if %s', async (_what, response, message) => {
    answer = response
    await expect(listDeployments(`${azure.origin}/list`, 'a-token', client)).rejects.toThrow(message)
    expect(azure.requests.length).toBeLessThanOrEqual(20)
  })

  it('leaves out invalid deployments', async () => {
    answer = () =>
      json({ value: [null, 7, {}, { name: '../x', properties: listed('x', 'gpt-4o').properties }] })
    expect(await listDeployments(`${azure.origin}/list`, 'a-token', client)).toEqual([])
  })
})

const provider = { name: 'azure', vendor: 'azure' } as Provider
const sources: ModelSources = {
  offers: [{ provider, models: readVendorData('azure')!.models }],
  builtIn: [],
  overrides: [],
  markup: '1',
}

describe('a deployment', () => {
  const priceOf = (id: string, ...deployed: Deployment[]): string | undefined => {
    const { catalog, prices } = buildCatalog(
      withDeployments(sources, new Map([['azure', deployed]])),
      Date.parse('2026-11-28'),
    )
    return catalog.find(id) === undefined ? 'no model' : prices.get(id)?.pricing.prompt
  }
  const chat = { name: 'chat', model: 'gpt-4o', version: '2024-08-06', sku: 'GlobalStandard' }

  it.each<[string, Deployment, string, string | undefined]>([
    ['is a model with its own name, at the price of its model', chat, 'azure/chat', '0.0000025'],
    ['has the price of its version', { ...chat, version: '2024-05-13' }, 'azure/chat', '0.000005'],
    ['has no price if its version is not known', { ...chat, version: '2031-01-01' }, 'azure/chat', undefined],
    ['has no price if it is billed by region', { ...chat, sku: 'Standard' }, 'azure/chat', undefined],
    [
      'has no price if it is billed by the hour',
      { ...chat, sku: 'GlobalProvisionedManaged' },
      'azure/chat',
      undefined,
    ],
    ['is left out if its model is not known', { ...chat, model: 'phi-9' }, 'azure/chat', 'no model'],
    ['is its model if it has the model’s name', { ...chat, name: 'gpt-4o' }, 'azure/gpt-4o', '0.0000025'],
    [
      'is not charged at the price of another model whose name it has',
      { ...chat, name: 'gpt-4o-mini' },
      'azure/gpt-4o-mini',
      '0.0000025',
    ],
    [
      'is not charged at the price of a known model if its own is not known',
      { ...chat, name: 'gpt-4o', model: 'phi-9' },
      'azure/gpt-4o',
      'no model',
    ],
  ])('%s', (_what, deployment, id, price) => {
    expect(priceOf(id, deployment)).toBe(price)
  })

  it('does not change models that are not listed', () => {
    expect(priceOf('azure/gpt-4.1', chat)).toBe(priceOf('azure/gpt-4.1'))
  })
})

describe('a provider with a list of deployments', () => {
  const deployments = { subscription: '00000000-0000-0000-0000-000000000000', resource_group: 'my group' }
  const configured = (input: ConfigurationInput) =>
    resolveConfiguration(input, { file: null, directory: '/', environment: {} })

  it('requires the address of the list, and the token for it', () => {
    const [one] = configured({ providers: { azure: { resource: 'r', entra: {}, deployments } } }).providers
    expect(one!.deployments).toEqual({
      url:
        'https://management.azure.com/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/' +
        'my%20group/providers/Microsoft.CognitiveServices/accounts/r/deployments?api-version=2024-10-01',
      scope: 'https://management.azure.com/.default',
    })
  })

  const section = 'deployments: { subscription: s, resource_group: g }'
  it.each([
    [
      `azure: { resource: r, api_keys: [k], ${section} }`,
      'azure.deployments: are listed by an identity: entra is missing',
    ],
    [`openai: { api_keys: [k], ${section} }`, 'openai.deployments: OpenAI has no deployments: leave it out'],
    [`azure: { base_url: "https://a.example", entra: {}, ${section} }`, 'azure.deployments: missing account'],
    ['azure: { resource: r, entra: {}, deployments: {} }', 'azure.deployments.subscription: missing'],
  ])('requires an identity and a resource: %s', (provider, message) => {
    const { mistakes } = parseConfiguration(`providers: { ${provider} }`, {})
    expect(mistakes.map((mistake) => formatMistake('t.yaml', mistake)).join('\n')).toContain(message)
  })

  it('is listed again, reports changes, and reports each failure once', async () => {
    const lists: (readonly Deployment[])[] = []
    const log: Record<string, unknown>[] = []
    let page = json({ value: [listed('chat', 'gpt-4o')] })
    answer = () => page
    const identity = { kind: 'entra' as const, scope: 'https://cognitiveservices.azure.com/.default' }
    const list = { url: `${azure.origin}/list`, scope: 'https://management.azure.com/.default' }
    const scopes: string[] = []
    const watch = watchDeployments([{ ...provider, identity, deployments: list }], {
      client,
      log: { warn: (fields) => void log.push(fields), error: () => undefined },
      onChange: (name, found) => void (name === 'azure' && lists.push(found)),
      everyMs: 5,
      afterFailureMs: 5,
      mint({ scope }) {
        scopes.push(scope)
        return Promise.resolve('a-token')
      },
    })
    await expect.poll(() => azure.requests.length).toBeGreaterThan(3)
    expect(lists).toHaveLength(1)
    page = json({ error: {} }, 403)
    await expect.poll(() => log.length).toBe(1)
    expect(log[0]).toMatchObject({ provider: 'azure', hint: expect.stringContaining('"Reader"') })
    const before = azure.requests.length
    await expect.poll(() => azure.requests.length).toBeGreaterThan(before + 3)
    expect(log).toHaveLength(1)
    page = json({ value: [listed('chat', 'gpt-4o'), listed('mini', 'gpt-4o-mini')] })
    await expect.poll(() => lists.map((found) => found.length)).toEqual([1, 2])
    watch.close()
    expect(new Set(scopes)).toEqual(new Set([list.scope]))
  })
})
