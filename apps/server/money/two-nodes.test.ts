import { setTimeout as delay } from 'node:timers/promises'
import { formatUsd, parseUsd } from '@turnpike/billing'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'
import { suiteVendor } from '../../../tests/nodes/suite.ts'
import { balanceOf, expectTrueBooks } from './testing/books.ts'
import { sharePostgres, shareSqlite, type SharedDatabase } from './testing/shared-databases.ts'

const outputTokens = 100
const completionPrice = '0.00001'
const holdPico = BigInt(outputTokens) * parseUsd(completionPrice)
/** How soon every node refuses a revoked key (docs/contract.md, 3). */
const revocationMs = 1_000
/** How long a node waits for other nodes to return credit. */
const askMs = 1_000

const databases: [string, () => Promise<SharedDatabase>][] = [['SQLite', shareSqlite]]
if (inject('postgresUrl') !== null) databases.push(['PostgreSQL', sharePostgres])

describe.each(databases)('two nodes on one database of %s', (_, share) => {
  const vendor = suiteVendor()
  let left: TestNode
  let right: TestNode
  let database: SharedDatabase

  beforeAll(async () => {
    database = await share()
    left = await start(database.left)
    right = await start(database.right)
  })
  afterAll(async () => {
    for (const node of [left, right]) await node.stop()
    await database.drop()
  })

  const start = (place: SharedDatabase['left']): Promise<TestNode> =>
    startTestNode({
      ...place,
      input: {
        providers: { vendor: { style: 'openai', base_url: vendor.baseUrl() } },
        models: { 'vendor/echo': { pricing: { prompt: '0', completion: completionPrice } } },
      },
    })

  const ask = (node: TestNode, key: TestKey, knobs = 'tokens=1 pace=0'): Promise<Response> =>
    node.chat(key, {
      model: 'vendor/echo',
      max_completion_tokens: outputTokens,
      messages: [{ role: 'user', content: `go on [sandbox: ${knobs}]` }],
    })

  async function statusOf(node: TestNode, key: TestKey, knobs?: string): Promise<number> {
    const response = await ask(node, key, knobs)
    await response.text()
    return response.status
  }

  /** Retries as a client does that is told to wait: on a busy machine, a node may respond late. */
  async function untilServed(node: TestNode, key: TestKey): Promise<void> {
    await vi.waitFor(async () => expect(await statusOf(node, key)).toBe(200), {
      timeout: 30_000,
      interval: 1_000,
    })
  }

  async function milliseconds(work: () => Promise<unknown>): Promise<number> {
    const startedMs = performance.now()
    await work()
    return performance.now() - startedMs
  }

  it('pass idle credit from one to the other at once', async () => {
    // Enough for two holds, of which answers use a hundredth, so the credit moves to and fro.
    const key = await left.createKey({ creditUsd: formatUsd(holdPico * 2n - 1n) })
    expect(await statusOf(left, key)).toBe(200)
    const tookMs: number[] = []
    for (let count = 1; count < 10; count++) {
      const node = count % 2 === 0 ? left : right
      tookMs.push(await milliseconds(() => untilServed(node, key)))
    }
    // Only a busy machine takes as long as the timeout for a node that does not respond.
    expect(Math.min(...tookMs)).toBeLessThan(askMs)
    await expectTrueBooks([left, right])
  })

  it('return 429 for credit that the other’s requests hold, and 402 for missing credit', async () => {
    const key = await left.createKey({ creditUsd: formatUsd(holdPico) })
    const running = await left.chat(key, {
      model: 'vendor/echo',
      stream: true,
      max_completion_tokens: outputTokens,
      messages: [{ role: 'user', content: `go on [sandbox: tokens=${outputTokens} pace=100/s]` }],
    })
    const refused = await ask(right, key)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.text()).toContain(`needs ${formatUsd(holdPico)} USD`)
    expect(await running.text()).toContain('[DONE]')
    const spent = await ask(right, key)
    const { error } = (await spent.json()) as { error: { type: string; message: string } }
    expect([spent.status, error.type]).toEqual([402, 'insufficient_quota'])
    expect(error.message).toMatch(/has 0 USD|credit of 0 USD/)
    expect(error.message).toContain(`${formatUsd(holdPico)} USD`)
    expect(error.message).toMatch(/top up/i)
    await expectTrueBooks([left, right])
  })

  it('refuse a key that the other has revoked, and an account that it has suspended', async () => {
    const key = await left.createKey()
    expect(await statusOf(right, key)).toBe(200)
    await left.admin(`/accounts/${key.accountId}/keys/${key.id}`, { method: 'DELETE' })
    await delay(revocationMs)
    expect(await statusOf(right, key)).toBe(401)
    expect(await statusOf(left, key)).toBe(401)
    const other = await left.createKey()
    expect(await statusOf(right, other)).toBe(200)
    await left.admin(`/accounts/${other.accountId}`, { method: 'PATCH', body: { status: 'suspended' } })
    await delay(revocationMs)
    expect(await statusOf(right, other)).toBe(403)
    await expectTrueBooks([left, right])
  })

  it('learn of a revocation whose notice arrived while nobody listened', async () => {
    const key = await left.createKey()
    expect(await statusOf(right, key)).toBe(200)
    await database.silence()
    await left.storage.apiKeys.revoke(key.accountId, key.id, Date.now())
    await delay(revocationMs)
    expect(await statusOf(right, key)).toBe(401)

    // The same holds after the whole database was unavailable for a while.
    const second = await left.createKey()
    expect(await statusOf(right, second)).toBe(200)
    await database.down()
    await left.storage.apiKeys.revoke(second.accountId, second.id, Date.now())
    expect(await statusOf(right, second)).toBe(200)
    await database.up()
    await vi.waitFor(async () => expect(await statusOf(right, second)).toBe(401), { timeout: 30_000 })
    await expectTrueBooks([left, right])
  })

  it('serve other keys while one of them waits in vain', async () => {
    const key = await left.createKey({ creditUsd: formatUsd(holdPico) })
    const other = await right.createKey()
    expect(await statusOf(right, other)).toBe(200)
    // A node that is gone has leased the credit, so nobody returns it.
    await left.storage.leases.take('node_that_is_gone', key.id, holdPico, holdPico, Date.now())
    const order: number[] = []
    const noted = async (node: TestNode, of: TestKey): Promise<void> =>
      void order.push(await statusOf(node, of))
    const refused = milliseconds(() => noted(right, key))
    await noted(right, other)
    expect(await refused).toBeGreaterThan(0.8 * askMs)
    expect(order).toEqual([200, 429])
    await left.storage.leases.giveBackAll('node_that_is_gone')
    expect(await statusOf(right, key)).toBe(200)
    await expectTrueBooks([left, right])
  })

  it('move credit between keys that the other has leased', async () => {
    const key = await left.createKey({ creditUsd: '1' })
    const target = await left.createKey({ accountId: key.accountId, creditUsd: '0' })
    expect(await statusOf(right, key)).toBe(200)
    const balance = await balanceOf([left, right], key)
    await left.admin(`/accounts/${key.accountId}/keys/${key.id}/transfer`, {
      method: 'POST',
      body: { to_key_id: target.id, amount_usd: formatUsd(balance) },
    })
    expect([await balanceOf([left, right], key), await balanceOf([left, right], target)]).toEqual([
      0n,
      balance,
    ])
    expect(await statusOf(right, key)).toBe(402)
    expect(await statusOf(right, target)).toBe(200)
    await expectTrueBooks([left, right])
  })

  it('pay for keys that draw on one key from its credit, wherever its idle parts are', async () => {
    const payer = await left.createKey({ creditUsd: formatUsd(holdPico * 2n - 1n) })
    const drawing = { accountId: payer.accountId, drawsOn: payer.id }
    const keys = [payer, await left.createKey(drawing), await left.createKey(drawing)]
    for (let count = 0; count < 6; count++)
      for (const node of [left, right]) await untilServed(node, keys[count % keys.length]!)
    await expectTrueBooks([left, right])
    const spent = BigInt(12) * parseUsd(completionPrice)
    expect(await balanceOf([left, right], payer)).toBe(holdPico * 2n - 1n - spent)
    expect(await balanceOf([left, right], keys[1]!)).toBe(0n)
  })

  it('never spend more than one credit with many keys at once, while the paying key is rotated', async () => {
    const payer = await left.createKey({ creditUsd: formatUsd(holdPico * 5n) })
    const drawing = { accountId: payer.accountId, drawsOn: payer.id }
    const keys = await Promise.all(Array.from({ length: 5 }, () => left.createKey(drawing)))
    const all = `tokens=${outputTokens} pace=0`
    const calls = keys.flatMap((key) => [left, right].map((node) => statusOf(node, key, all)))
    await left.admin(`/accounts/${payer.accountId}/keys/${payer.id}/rotate`, { method: 'POST', body: {} })
    const served = (await Promise.all(calls)).filter((status) => status === 200).length
    expect(served).toBeLessThanOrEqual(5)
    await expectTrueBooks([left, right])
    await vi.waitFor(async () => {
      const { balance_usd: balance } = await left.admin<{ balance_usd: string }>(
        `/accounts/${payer.accountId}`,
      )
      expect(balance).toBe(formatUsd(holdPico * BigInt(5 - served)))
    })
  })
})
