import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { statusesAsTold } from './testing/as-told.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const rounds = 8
const clients = 40
const completionPrice = '0.00001'
/** The output that a request allows, and produces. Input is free, so a charge equals its hold. */
const outputTokens = 30
const holdPico = BigInt(outputTokens) * parseUsd(completionPrice)

interface KeyRecord {
  id: string
  raw: string
  balance_usd: string
  spent_usd: string | null
}

describe.each(layouts)('a key with a spend limit, $engine, nodes: $nodes', ({ create, nodes }) => {
  const world = suiteFleet(create, nodes, (base_url) => ({
    providers: { vendor: { style: 'openai', base_url } },
    models: { 'vendor/echo': { pricing: { prompt: '0', completion: completionPrice } } },
  }))
  const fleet = world.nodes

  const pathOf = (key: Pick<TestKey, 'accountId' | 'id'>): string =>
    `/accounts/${key.accountId}/keys/${key.id}`

  /** A key with much more credit than its limit, which covers this many requests. */
  async function limitedKey(covered: number, node = fleet[0]!): Promise<TestKey> {
    const key = await node.createKey({ creditUsd: '10' })
    await limit(key, covered)
    return key
  }

  const limit = (key: TestKey, covered: number, node = fleet[0]!) =>
    node.admin(pathOf(key), {
      method: 'PATCH',
      body: { spend_limit_usd: formatUsd(holdPico * BigInt(covered)), spend_limit_period: 'total' },
    })

  /** Has the whole fleet flush its charges to the database. */
  async function flush(key: TestKey): Promise<void> {
    for (const node of fleet) await node.admin(`/accounts/${key.accountId}`)
  }

  async function record(key: TestKey): Promise<KeyRecord> {
    await flush(key)
    return fleet[0]!.admin<KeyRecord>(pathOf(key))
  }

  async function expectTrueBooks(): Promise<void> {
    expect(await fleet[0]!.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
  }

  /** Sends requests from all clients with each of the keys. Returns the final statuses. */
  const askAll = (keys: readonly TestKey[], expected: number) => {
    const askAs = (client: number): Promise<number> =>
      ask(fleet[client % nodes]!, keys[Math.floor(client / clients)]!)
    return statusesAsTold(clients * keys.length, askAs, { expected, nodes })
  }

  it(`for exactly N requests lets N of ${clients} clients through, in each of ${rounds} rounds`, async () => {
    const seed = Date.now() & 0xffff
    for (let round = 0; round < rounds; round++) {
      const covered = 1 + ((seed + round * 7) % (clients - 1))
      const key = await limitedKey(covered)
      const statuses = await askAll([key], covered)
      const label = `seed ${seed}, round ${round}, covered ${covered}`
      expect(statuses.filter((status) => status === 200).length, label).toBe(covered)
      for (const status of statuses) expect([200, 402, 429], label).toContain(status)
      await flush(key)
      for (const node of fleet) expect(await ask(node, key), label).toBe(402)
      expect((await record(key)).spent_usd, label).toBe(formatUsd(holdPico * BigInt(covered)))
    }
    await expectTrueBooks()
  }, 600_000)

  it('gets an error that names the limit and what is spent of it', async () => {
    const key = await limitedKey(1)
    expect(await ask(fleet[0]!, key)).toBe(200)
    await flush(key)
    const refused = await chat(fleet[0]!, key)
    expect(refused.status).toBe(402)
    const { error } = (await refused.json()) as { error: { type: string; message: string } }
    expect(error.type).toBe('insufficient_quota')
    expect(error.message).toMatch(
      /^The key's spend limit of 0\.0003 USD in total does not cover this request/,
    )
    expect(error.message).toMatch(/0\.0003 USD is already spent\. It does not reset/)
    const daily = { spend_limit_period: 'day' }
    await fleet[0]!.admin(pathOf(key), { method: 'PATCH', body: daily })
    const today = (await (await chat(fleet[0]!, key)).json()) as typeof error & { error: typeof error }
    expect(today.error.message).toMatch(/Wait until the day ends at \d{4}-\d\d-\d\dT00:00:00Z, /)
  })

  it('spends no more than a lowered limit, and works again once the limit is raised', async () => {
    const key = await limitedKey(1_000)
    expect((await askAll([key], clients)).filter((status) => status === 200)).toHaveLength(clients)
    const lowered = clients + 10
    // Its leases cover many more requests. They are returned before the response to the change.
    await limit(key, lowered, fleet.at(-1))
    const statuses = await askAll([key], 10)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect((await record(key)).spent_usd).toBe(formatUsd(holdPico * BigInt(lowered)))
    await limit(key, lowered + 5)
    expect((await askAll([key], 5)).filter((status) => status === 200)).toHaveLength(5)
    await fleet[0]!.admin(pathOf(key), { method: 'PATCH', body: { spend_limit_usd: null } })
    expect((await askAll([key], clients)).filter((status) => status === 200)).toHaveLength(clients)
    await expectTrueBooks()
  }, 300_000)

  it('keeps its spending when it is rotated, during the grace period and after it', async () => {
    const key = await limitedKey(20)
    for (let count = 0; count < 7; count++) expect(await ask(fleet[count % nodes]!, key)).toBe(200)
    const { id, raw } = await fleet[0]!.admin<KeyRecord>(`${pathOf(key)}/rotate`, {
      method: 'POST',
      body: { grace_seconds: 600 },
    })
    const next = { ...key, id, raw }
    const statuses = await askAll([key, next], 13)
    expect(statuses.filter((status) => status === 200)).toHaveLength(13)
    expect((await record(next)).spent_usd).toBe(formatUsd(holdPico * 20n))
    await flush(key)
    for (const node of fleet) expect([await ask(node, key), await ask(node, next)]).toEqual([402, 402])
    await expectTrueBooks()
  }, 300_000)
})

function chat(node: TestNode, key: TestKey): Promise<Response> {
  return node.chat(key, {
    model: 'vendor/echo',
    max_completion_tokens: outputTokens,
    messages: [{ role: 'user', content: `go on [sandbox: tokens=${outputTokens} pace=0]` }],
  })
}

async function ask(node: TestNode, key: TestKey): Promise<number> {
  const response = await chat(node, key)
  await response.text()
  return response.status
}
