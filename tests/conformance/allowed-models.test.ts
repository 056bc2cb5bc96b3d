import { describe, expect, test } from 'vitest'
import { internalSecret, startTestNode, type TestKey } from '../nodes/test-node.ts'
import { suiteNode } from '../nodes/suite.ts'

const pricing = { prompt: '0.000001', completion: '0.000002' }
const upstreams = [{ provider: 'sandbox', model: 'echo' }]

const small = ['local/small']
const large = ['local/large']

/** A key with a list of allowed models sees exactly what it can call, by the names that it can use. */
describe('the models of a key with a list', () => {
  const node = suiteNode({
    providers: { sandbox: { style: 'sandbox' }, openai: { api_keys: ['sk-unused'] } },
    models: {
      'local/small': { pricing, upstreams, context_length: 100_000 },
      'local/large': { pricing, upstreams, context_length: 200_000 },
      'local/unpriced': { upstreams: [{ provider: 'openai', model: 'u' }] },
    },
    routing: { auto: { tiers: { SIMPLE: small, MEDIUM: small, COMPLEX: large, REASONING: large } } },
  })

  async function listed(allowedModels: string[]): Promise<{ id: string; context_length: number }[]> {
    const answer = await get('/models', await node.createKey({ allowedModels }))
    return ((await answer.json()) as { data: { id: string; context_length: number }[] }).data
  }

  function get(path: string, key: TestKey): Promise<Response> {
    return fetch(node.baseUrl + path, { headers: { authorization: `Bearer ${key.raw}` } })
  }

  const autos = ['turnpike/auto', 'turnpike/auto-eco', 'turnpike/auto-premium']
  const version = 'openai/gpt-4o-2024-08-06'

  test.each([
    [
      'models that auto-routing does not know',
      ['sandbox/echo', 'openai/gpt-4o'],
      ['openai/gpt-4o', 'sandbox/echo'],
    ],
    ['one that it may choose', ['local/small'], [...autos, 'local/small']],
    ['auto-routing alone', ['turnpike/auto'], ['turnpike/auto']],
    ['one version of a model', [version], [version]],
    ['a version, and its model too', [version, 'openai/gpt-4o'], ['openai/gpt-4o']],
    ['unknown models, and models without a price', ['no/such', 'local/unpriced'], []],
  ])('%s', async (_, allowed, expected) => {
    expect((await listed(allowed)).map(({ id }) => id)).toEqual(expected)
  })

  test('are all models if there is no list', async () => {
    const answer = await get('/models', await node.createKey())
    const ids = ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...autos, 'local/small', 'local/large', 'openai/gpt-4o']))
  })

  test('describe auto-routing by the models that it may choose for the key', async () => {
    const [auto] = await listed(['local/small'])
    expect(auto).toMatchObject({ id: 'turnpike/auto', context_length: 100_000, tiers: ['SIMPLE', 'MEDIUM'] })
    const [whole] = await listed(['turnpike/auto'])
    expect(whole).toMatchObject({ id: 'turnpike/auto', context_length: 200_000 })
  })

  test('are the same if requested one by one', async () => {
    const allowedModels = ['local/small', version, 'sandbox/echo']
    const key = await node.createKey({ allowedModels })
    for (const model of await listed(allowedModels))
      expect(await (await get(`/models/${model.id}`, key)).json()).toEqual(model)
    expect(await (await get('/models/gpt-4o-2024-08-06', key)).json()).toMatchObject({ id: version })
  })

  test.each(['local/large', 'local%2Flarge', 'large', 'openai/gpt-4o', 'turnpike/auto', 'auto-eco'])(
    'do not include %s, which is refused like a call of it',
    async (name) => {
      const key = await node.createKey({ allowedModels: ['sandbox/echo'] })
      const answer = await get(`/models/${name}`, key)
      expect(answer.status).toBe(403)
      const error = { type: 'permission_error', code: 403, param: 'model' }
      expect(await answer.json()).toMatchObject({ error })
    },
  )

  test('can be called, and all others are 403', async () => {
    const key = await node.createKey({ allowedModels: ['local/small'] })
    const call = (model: string): Promise<Response> =>
      node.chat(key, { model, messages: [{ role: 'user', content: 'Hello [sandbox: pace=0]' }] })
    expect((await call('local/small')).status).toBe(200)
    expect((await call('turnpike/auto')).status).toBe(200)
    const refused = (await (await call('local/large')).json()) as object
    const described = (await (await get('/models/local/large', key)).json()) as object
    const expected = {
      error: expect.objectContaining({ message: expect.stringContaining('may not use') as string }) as object,
    }
    expect([refused, described]).toEqual([expected, expected])
  })
})

test.each([
  '/v1/models',
  '/v1/models/sandbox/echo',
  '/v1/models/no/such',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/llms.txt',
  '/',
  '/api/v1/auth/discovery',
  '/api/v1/admin/accounts',
  '/api/v1/admin/usage/export?format=csv',
])('HEAD %s is GET without its body', async (path) => {
  const node = await startTestNode()
  const key = await node.createKey()
  const bearer = path.startsWith('/v1/') ? { authorization: `Bearer ${key.raw}` } : undefined
  const headers = bearer ?? { 'x-internal-secret': internalSecret, accept: 'text/html, */*' }
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(node.origin + path, { method, headers })),
  )
  expect([path, head!.status, await head!.text()]).toEqual([path, get!.status, ''])
  expect(head!.headers.get('content-type')).toBe(get!.headers.get('content-type'))
  await node.stop()
})
