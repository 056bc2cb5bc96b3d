import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { LedgerVerification } from '@turnpike/billing'
import type { PriceReport } from '@turnpike/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteVendor } from '../../../tests/nodes/suite.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'

const postgres = databases().find(({ engine }) => engine === 'PostgreSQL')
const secret = 'secret of nodes that disagree'
const skewMs = 7_000
/** How soon every node refuses a revoked key (docs/contract.md, 3). */
const revocationMs = 1_000
const clock = pathToFileURL(join(import.meta.dirname, '../../../tests/nodes/skewed-clock.ts')).href

describe.skipIf(postgres === undefined)('two nodes, one with its clock ahead', () => {
  const vendor = suiteVendor()
  const database = suiteDatabase(() => postgres!.create())
  let right: GatewayProcess
  let ahead: GatewayProcess

  beforeAll(async () => {
    const create = (environment: NodeJS.ProcessEnv): Promise<GatewayProcess> =>
      GatewayProcess.create(
        {
          database: { url: database.url! },
          admin: { internal_secret: secret },
          billing: { lease_seconds: 5 },
          providers: {
            vendor: { style: 'openai', base_url: vendor.baseUrl() },
            openai: { base_url: vendor.baseUrl(), api_keys: ['k'] },
          },
          models: { 'vendor/echo': { pricing: { prompt: '0.000001', completion: '0.000001' } } },
        },
        [],
        environment,
      )
    right = await create({})
    ahead = await create({ NODE_OPTIONS: `--import=${clock}`, CLOCK_SKEW_MS: String(skewMs) })
  }, 120_000)
  afterAll(async () => {
    for (const node of [right, ahead]) await node.remove()
  })

  async function admin<Body>(
    node: GatewayProcess,
    method: string,
    path: string,
    body?: object,
  ): Promise<Body> {
    const response = await fetch(`${node.origin}/api/v1/admin${path}`, {
      method,
      headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  async function newKey(node: GatewayProcess): Promise<{ accountId: string; id: string; raw: string }> {
    const email = `${Math.random()}@nodes.test`
    const { id: accountId } = await admin<{ id: string }>(node, 'POST', '/accounts', { email })
    const path = `/accounts/${accountId}`
    const key = await admin<{ id: string; raw: string }>(node, 'POST', `${path}/keys`, { name: 'one' })
    await admin(node, 'POST', `${path}/credits`, { amount_usd: '1', kind: 'grant', reason: 'test' })
    return { accountId, ...key }
  }

  async function statusOf(node: GatewayProcess, raw: string): Promise<number> {
    const response = await fetch(`${node.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${raw}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'vendor/echo',
        messages: [{ role: 'user', content: 'one two [sandbox: pace=0]' }],
      }),
    })
    await response.text()
    return response.status
  }

  it('serve the same keys within the same credit, for longer than a lease', async () => {
    const key = await newKey(ahead)
    for (let count = 0; count < 14; count++) {
      expect(await statusOf(count % 2 === 0 ? right : ahead, key.raw)).toBe(200)
      await delay(500)
    }
    for (const node of [right, ahead]) {
      const ready = (await (await fetch(`${node.origin}/readyz`)).json()) as object
      expect(ready).toMatchObject({ status: 'ok', checks: { notices: { status: 'ok' } } })
      await admin(node, 'GET', `/accounts/${key.accountId}/usage?days=1`)
    }
    const verified = await admin<LedgerVerification>(right, 'GET', '/ledger/verify')
    expect(verified).toMatchObject({ ok: true, differences: [] })
  }, 60_000)

  it.each([
    ['the one whose clock is ahead', () => [ahead, right] as const],
    ['the other one', () => [right, ahead] as const],
  ])('refuse a key that %s has revoked, within a second', async (_name, nodes) => {
    const [revoking, other] = nodes()
    const key = await newKey(revoking)
    for (const node of [revoking, other]) expect(await statusOf(node, key.raw)).toBe(200)
    await admin(revoking, 'DELETE', `/accounts/${key.accountId}/keys/${key.id}`)
    expect(await statusOf(revoking, key.raw)).toBe(401)
    await delay(revocationMs)
    expect(await statusOf(other, key.raw)).toBe(401)
  })

  it('refuse a suspended account, and serve it again once it is active', async () => {
    const key = await newKey(right)
    expect(await statusOf(ahead, key.raw)).toBe(200)
    await admin(right, 'PATCH', `/accounts/${key.accountId}`, { status: 'suspended' })
    await delay(revocationMs)
    expect(await statusOf(ahead, key.raw)).toBe(403)
    await admin(ahead, 'PATCH', `/accounts/${key.accountId}`, { status: 'active' })
    await delay(revocationMs)
    expect(await statusOf(right, key.raw)).toBe(200)
  })

  it('read their prices again when one of them does', async () => {
    const before = await admin<PriceReport>(ahead, 'GET', '/prices')
    const model = {
      id: 'gpt-5-mini',
      match: { equals: 'gpt-5-mini' },
      prices: { input_mtok: 7, output_mtok: 9 },
    }
    const prices = JSON.stringify([{ id: 'openai', models: [model] }])
    for (const { directory } of [right, ahead])
      writeFileSync(join(directory, '.turnpike/prices.json'), prices)
    const refreshed = await admin<PriceReport>(right, 'POST', '/prices/refresh')
    expect(refreshed.version).not.toBe(before.version)
    await vi.waitFor(async () => {
      expect((await admin<PriceReport>(ahead, 'GET', '/prices')).version).toBe(refreshed.version)
    }, 20_000)
    expect(ahead.stderr).not.toContain('another node has different prices')
    writeFileSync(join(right.directory, '.turnpike/prices.json'), prices.replace(':7,', ':8,'))
    await admin<PriceReport>(right, 'POST', '/prices/refresh')
    await vi.waitFor(() => expect(ahead.stderr).toContain('another node has different prices'), 20_000)
  })
})
