import { formatUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { statusesAsTold } from './testing/as-told.ts'
import { expectTrueBooks, flushAll } from './testing/books.ts'
import { fixedCost, requestBody, requestPico, statusOf } from './testing/fixed-cost.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const rounds = 8
const clients = 40

interface KeyRecord {
  id: string
  raw: string
  balance_usd: string
  spent_usd: string | null
}

describe.each(layouts)('a key with a spend limit, $engine, nodes: $nodes', ({ create, nodes }) => {
  const world = suiteFleet(create, nodes, fixedCost)
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
      body: { spend_limit_usd: formatUsd(requestPico * BigInt(covered)), spend_limit_period: 'total' },
    })

  async function record(key: TestKey): Promise<KeyRecord> {
    await flushAll(fleet)
    return fleet[0]!.admin<KeyRecord>(pathOf(key))
  }

  /** Sends requests from all clients with each of the keys. Returns the final statuses. */
  const askAll = (keys: readonly TestKey[], expected: number) => {
    const askAs = (client: number): Promise<number> =>
      statusOf(fleet[client % nodes]!, keys[Math.floor(client / clients)]!)
    return statusesAsTold(clients * keys.length, askAs, { expected, nodes })
  }

  it(`lets N of ${clients} clients through if it covers N requests, ${rounds} times`, async () => {
    const seed = Date.now() & 0xffff
    for (let round = 0; round < rounds; round++) {
      const covered = 1 + ((seed + round * 7) % (clients - 1))
      const key = await limitedKey(covered)
      const statuses = await askAll([key], covered)
      const label = `seed ${seed}, round ${round}, covered ${covered}`
      expect(statuses.filter((status) => status === 200).length, label).toBe(covered)
      for (const status of statuses) expect([200, 402, 429], label).toContain(status)
      await flushAll(fleet)
      for (const node of fleet) expect(await statusOf(node, key), label).toBe(402)
      expect((await record(key)).spent_usd, label).toBe(formatUsd(requestPico * BigInt(covered)))
    }
    await expectTrueBooks(fleet)
  }, 600_000)

  it('gets an error that names the limit and what is spent of it', async () => {
    const key = await limitedKey(1)
    expect(await statusOf(fleet[0]!, key)).toBe(200)
    await flushAll(fleet)
    const refused = await fleet[0]!.chat(key, requestBody())
    expect(refused.status).toBe(402)
    const { error } = (await refused.json()) as { error: { type: string; message: string } }
    expect(error.type).toBe('insufficient_quota')
    expect(error.message).toMatch(
      /^The key's spend limit of 0\.0003 USD in total does not cover this request/,
    )
    expect(error.message).toMatch(/0\.0003 USD is already spent\. It does not reset/)
    const daily = { spend_limit_period: 'day' }
    await fleet[0]!.admin(pathOf(key), { method: 'PATCH', body: daily })
    const today = (await (await fleet[0]!.chat(key, requestBody())).json()) as typeof error & {
      error: typeof error
    }
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
    expect((await record(key)).spent_usd).toBe(formatUsd(requestPico * BigInt(lowered)))
    await limit(key, lowered + 5)
    expect((await askAll([key], 5)).filter((status) => status === 200)).toHaveLength(5)
    await fleet[0]!.admin(pathOf(key), { method: 'PATCH', body: { spend_limit_usd: null } })
    expect((await askAll([key], clients)).filter((status) => status === 200)).toHaveLength(clients)
    await expectTrueBooks(fleet)
  }, 300_000)

  it('keeps its spending when it is rotated, during the grace period and after it', async () => {
    const key = await limitedKey(20)
    for (let count = 0; count < 7; count++) expect(await statusOf(fleet[count % nodes]!, key)).toBe(200)
    const { id, raw } = await fleet[0]!.admin<KeyRecord>(`${pathOf(key)}/rotate`, {
      method: 'POST',
      body: { grace_seconds: 600 },
    })
    const next = { ...key, id, raw }
    const statuses = await askAll([key, next], 13)
    expect(statuses.filter((status) => status === 200)).toHaveLength(13)
    expect((await record(next)).spent_usd).toBe(formatUsd(requestPico * 20n))
    await flushAll(fleet)
    for (const node of fleet)
      expect([await statusOf(node, key), await statusOf(node, next)]).toEqual([402, 402])
    await expectTrueBooks(fleet)
  }, 300_000)
})
