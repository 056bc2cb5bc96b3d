import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DatabaseProxy } from '../nodes/database-proxy.ts'
import { databases } from '../nodes/databases.ts'
import { suiteDatabase, suiteKey, suiteNode, suiteVendor } from '../nodes/suite.ts'
import type { TestKey } from '../nodes/test-node.ts'

const postgres = databases().find((database) => database.engine === 'PostgreSQL')

describe.skipIf(postgres === undefined)('an unreachable database', () => {
  const vendor = suiteVendor()
  const database = suiteDatabase(() => postgres!.create())
  let proxy: DatabaseProxy
  const proxied = { url: '' }
  beforeAll(async () => {
    proxy = await DatabaseProxy.start(database.url!)
    proxied.url = proxy.url
    return () => proxy.down()
  })
  const node = suiteNode(
    () => ({
      providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
      models: { 'vendor/echo': { pricing: { prompt: '0.000001', completion: '0.000004' } } },
    }),
    { database: proxied },
  )
  const known = suiteKey(node)
  const unknown = suiteKey(node)

  const ask = (key: TestKey): Promise<Response> =>
    node.chat(key, {
      model: 'vendor/echo',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi [sandbox: pace=0]' }],
    })

  it('serves known keys within their leases, makes others wait, and loses nothing', async () => {
    expect((await ask(known)).status).toBe(200)
    await proxy.down()
    for (let count = 0; count < 20; count++) expect((await ask(known)).status).toBe(200)
    await expectUnavailable(await ask(unknown))
    await expectUnavailable(await fetch(`${node.baseUrl}/models`, authorized(unknown)))
    expect((await fetch(`${node.baseUrl}/models`, authorized(known))).status).toBe(200)
    const ready = await fetch(`${node.origin}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }])
    await expect(node.admin(`/accounts/${known.accountId}`)).rejects.toThrow(/503 .*service_unavailable/)

    await proxy.up()
    expect((await ask(unknown)).status).toBe(200)
    await vi.waitFor(
      async () => {
        const usage = await node.admin<{ total_requests: number }>(
          `/accounts/${known.accountId}/usage?days=1`,
        )
        expect(usage.total_requests).toBe(21)
      },
      { timeout: 30_000 },
    )
    expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  }, 120_000)
})

function authorized(key: TestKey): RequestInit {
  return { headers: { authorization: `Bearer ${key.raw}` } }
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await response.json()).toMatchObject({ error: { type: 'service_unavailable', code: 503 } })
}
