import { formatUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { statusesAsTold } from './testing/as-told.ts'
import { expectTrueBooks, flushAll } from './testing/books.ts'
import { fixedCost, requestBody, requestPico } from './testing/fixed-cost.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const rounds = 6
const clients = 30
const tag = 'team:search'
const [first, second] = ['vendor/echo', 'vendor/other']

interface BudgetRecord {
  id: string
  spent_usd: string
  left_usd: string
}

interface ErrorBody {
  error: { type: string; message: string; metadata?: Record<string, unknown> }
}

describe.each(layouts)('budgets, $engine, nodes: $nodes', ({ create, nodes }) => {
  const { nodes: fleet } = suiteFleet(create, nodes, (baseUrl) => {
    const { models, ...input } = fixedCost(baseUrl)
    return { ...input, models: { [first]: models![first]!, [second]: models![first]! } }
  })

  const pathOf = (key: Pick<TestKey, 'accountId'>): string => `/accounts/${key.accountId}/budgets`
  const forRequests = (count: number): string => formatUsd(requestPico * BigInt(count))

  /** A budget for this many requests. */
  const budget = (
    key: TestKey,
    covered: number,
    changes: Record<string, unknown> = {},
    node = fleet[0]!,
  ): Promise<BudgetRecord> =>
    node.admin<BudgetRecord>(pathOf(key), {
      method: 'POST',
      body: {
        name: 'Search team',
        scope: 'organization',
        period: 'total',
        limit_usd: forRequests(covered),
        ...changes,
      },
    })

  const change = (key: TestKey, id: string, body: object, node = fleet[0]!): Promise<BudgetRecord> =>
    node.admin<BudgetRecord>(`${pathOf(key)}/${id}`, { method: 'PATCH', body })

  async function spent(key: TestKey, id: string): Promise<string> {
    await flushAll(fleet)
    return (await fleet[0]!.admin<BudgetRecord>(`${pathOf(key)}/${id}`)).spent_usd
  }

  const askAll = (keys: readonly TestKey[], expected: number, more: object = {}) => {
    const askAs = (client: number): Promise<number> =>
      ask(fleet[client % nodes]!, keys[client % keys.length]!, more)
    return statusesAsTold(clients, askAs, { expected, nodes })
  }

  const served = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length

  const exactly = `let N of ${clients} clients through if the tightest of three covers N, ${rounds} times`
  it(
    exactly,
    async () => {
      const seed = Date.now() & 0xffff
      for (let round = 0; round < rounds; round++) {
        const covered = 1 + ((seed + round * 7) % (clients - 1))
        const label = `seed ${seed}, round ${round}, covered ${covered}`
        const key = await fleet[0]!.createKey({ creditUsd: '10' })
        const other = await fleet[0]!.createKey({ accountId: key.accountId, creditUsd: '10' })
        const limits = [covered, covered + 3, covered + 40]
        const at = (place: number): number => limits[(round + place) % 3]!
        const all = await budget(key, at(0), { period: 'week' })
        await budget(key, at(1), { scope: 'tag', subject: tag })
        await budget(key, at(2), { scope: 'model', subject: first })
        const statuses = await askAll([key, other], covered)
        expect(served(statuses), label).toBe(covered)
        for (const status of statuses) expect([200, 402, 429], label).toContain(status)
        expect(await spent(key, all.id), label).toBe(forRequests(covered))
        for (const node of fleet) expect(await ask(node, key), label).toBe(402)
      }
      await expectTrueBooks(fleet)
    },
    600_000,
  )

  it('name the exhausted one, to people and to programs', async () => {
    const key = await fleet[0]!.createKey({ creditUsd: '10' })
    await budget(key, 100)
    const { id } = await budget(key, 1, { scope: 'tag', subject: tag, period: 'day' })
    expect(await ask(fleet[0]!, key)).toBe(200)
    await flushAll(fleet)
    const refused = await chat(fleet[0]!, key)
    expect(refused.status).toBe(402)
    const { error } = (await refused.json()) as ErrorBody
    expect(error.type).toBe('insufficient_quota')
    const parts = [
      'The budget "Search team" (tag `team:search`, 0.0003 USD a day) does not cover this request, ',
      'which may cost up to 0.0003 USD: 0.0003 USD is spent, 0 USD is left. Wait until the day ends at ',
      'raise the budget (PATCH /api/v1/budgets/bud_',
    ]
    for (const part of parts) expect(error.message).toContain(part)
    expect(error.metadata).toEqual({
      reason: 'budget',
      needed_usd: '0.0003',
      budget: {
        id,
        name: 'Search team',
        scope: 'tag',
        subject: tag,
        period: 'day',
        limit_usd: '0.0003',
        left_usd: '0',
        resets_at: expect.any(Number),
      },
    })
    // Without the tag, the request does not fall under that budget.
    expect((await chat(fleet[0]!, key, { metadata: { tags: ['team:other'] } }, {})).status).toBe(200)
  })

  it('apply on every node once they are created, lowered, raised, made soft or deleted', async () => {
    const key = await fleet[0]!.createKey({ creditUsd: '10' })
    expect(served(await askAll([key], clients))).toBe(clients)
    await flushAll(fleet)
    const { id } = await budget(key, clients + 10, { period: 'month' }, fleet.at(-1))
    await knownTo(fleet)
    expect(served(await askAll([key], 10))).toBe(10)
    await change(key, id, { limit_usd: forRequests(clients + 16) })
    await knownTo(fleet)
    expect(served(await askAll([key], 6))).toBe(6)
    await change(key, id, { limit_usd: forRequests(200) }, fleet.at(-1))
    await knownTo(fleet)
    expect(served(await askAll([key], clients))).toBe(clients)
    await change(key, id, { limit_usd: forRequests(2 * clients + 20) })
    await knownTo(fleet)
    expect(served(await askAll([key], 4))).toBe(4)
    await change(key, id, { hard: false })
    await knownTo(fleet)
    expect(served(await askAll([key], clients))).toBe(clients)
    expect(await spent(key, id)).toBe(forRequests(3 * clients + 20))
    await change(key, id, { hard: true })
    await knownTo(fleet)
    expect(served(await askAll([key], 0))).toBe(0)
    await fleet[0]!.admin(`${pathOf(key)}/${id}`, { method: 'DELETE' })
    await knownTo(fleet)
    expect(served(await askAll([key], clients))).toBe(clients)
    await expectTrueBooks(fleet)
  }, 300_000)

  it('for a model pass requests on to the next one; if none is left, the response is 402', async () => {
    const key = await fleet[0]!.createKey({ creditUsd: '10' })
    const one = await budget(key, 2, { scope: 'model', subject: first })
    const other = await budget(key, 1, { scope: 'model', subject: second })
    const models: string[] = []
    for (let count = 0; count < 3; count++) {
      const response = await chat(fleet[count % nodes]!, key, { models: [second] })
      expect(response.status).toBe(200)
      models.push(response.headers.get('x-turnpike-model')!)
      await response.text()
      await flushAll(fleet)
    }
    expect(models).toEqual([first, first, second])
    const refused = await chat(fleet[0]!, key, { models: [second] })
    expect([refused.status, ((await refused.json()) as ErrorBody).error.message]).toEqual([
      402,
      expect.stringContaining('model `vendor/other`'),
    ])
    expect([await spent(key, one.id), await spent(key, other.id)]).toEqual([forRequests(2), forRequests(1)])
    const rows = await fleet[0]!.admin<{ data: { attempts: { result: string }[] }[] }>(
      `/accounts/${key.accountId}/usage/requests`,
    )
    expect(rows.data[1]!.attempts.map(({ result }) => result)).toEqual(['budget-used-up', 'ok'])
    await expectTrueBooks(fleet)
  }, 60_000)

  it('cut a stream that exceeds them, and name the budget', async () => {
    const key = await fleet[0]!.createKey({ creditUsd: '10' })
    const { id } = await budget(key, 100, { scope: 'tag', subject: tag, limit_usd: '0.05' })
    const response = await fleet[0]!.chat(
      key,
      {
        model: first,
        stream: true,
        messages: [{ role: 'user', content: 'go on [sandbox: ignore_bound tokens=8000 pace=0]' }],
      },
      { headers: { 'x-turnpike-tags': tag } },
    )
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text.slice(-1_000)).toContain('"insufficient_quota"')
    expect(text.slice(-1_000)).toContain('The budget \\"Search team\\"')
    expect(Number(await spent(key, id))).toBeLessThanOrEqual(0.05)
    expect(Number(await spent(key, id))).toBeGreaterThan(0.04)
    await expectTrueBooks(fleet)
  }, 60_000)

  it('let free requests through, and lower a bound', async () => {
    const key = await fleet[0]!.createKey({ creditUsd: '10' })
    await budget(key, 0, { limit_usd: '0.06' })
    const response = await fleet[0]!.chat(key, {
      model: first,
      max_completion_tokens: 50_000,
      messages: [{ role: 'user', content: 'go on [sandbox: tokens=5 pace=0]' }],
    })
    await response.text()
    expect([response.status, response.headers.get('x-turnpike-max-output-tokens')]).toEqual([200, '6000'])
  })
})

/** Notices of other nodes arrive within a second; a single node knows its changes at once. */
async function knownTo(fleet: readonly TestNode[]): Promise<void> {
  if (fleet.length > 1) await new Promise((resolve) => setTimeout(resolve, 1_000))
}

function chat(
  node: TestNode,
  key: TestKey,
  more: object = {},
  headers: Record<string, string> = { 'x-turnpike-tags': tag },
): Promise<Response> {
  return node.chat(key, { ...requestBody(), ...more }, { headers })
}

async function ask(node: TestNode, key: TestKey, more: object = {}): Promise<number> {
  const response = await chat(node, key, more)
  await response.text()
  return response.status
}
