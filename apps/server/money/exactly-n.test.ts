import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { statusesAsTold } from './testing/as-told.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const rounds = 20
const clients = 40
const completionPrice = '0.00001'
/** The output that a request allows, and produces. Input is free, so a charge equals its hold. */
const outputTokens = 30
const holdPico = BigInt(outputTokens) * parseUsd(completionPrice)

describe.each(layouts)(
  `${clients} clients, credit for exactly N requests, $engine, nodes: $nodes`,
  ({ create, nodes }) => {
    const world = suiteFleet(create, nodes, (base_url) => ({
      providers: { vendor: { style: 'openai', base_url } },
      models: { 'vendor/echo': { pricing: { prompt: '0', completion: completionPrice } } },
    }))
    const fleet = world.nodes

    it(`serves exactly N of them, in each of ${rounds} rounds`, async () => {
      const seed = Date.now() & 0xffff
      for (let round = 0; round < rounds; round++) {
        const covered = 1 + ((seed + round * 7) % (clients - 1))
        const key = await fleet[0]!.createKey({ creditUsd: formatUsd(holdPico * BigInt(covered)) })
        const askAs = (client: number): Promise<number> => ask(fleet[client % nodes]!, key)
        const statuses = await statusesAsTold(clients, askAs, { expected: covered, nodes })
        const label = `seed ${seed}, round ${round}, covered ${covered}`
        expect(statuses.filter((status) => status === 200).length, label).toBe(covered)
        for (const status of statuses) expect([200, 402, 429], label).toContain(status)
        // All credit is spent, on every node, so waiting does not help.
        for (const node of fleet) await node.admin(`/accounts/${key.accountId}`)
        for (const node of fleet) expect(await ask(node, key), label).toBe(402)
        const { balance_usd: balance } = await fleet[0]!.admin<{ balance_usd: string }>(
          `/accounts/${key.accountId}`,
        )
        expect(balance, label).toBe('0')
      }
      expect(await fleet[0]!.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
    }, 600_000)
  },
)

async function ask(node: TestNode, key: TestKey): Promise<number> {
  const response = await node.chat(key, {
    model: 'vendor/echo',
    max_completion_tokens: outputTokens,
    messages: [{ role: 'user', content: `go on [sandbox: tokens=${outputTokens} pace=0]` }],
  })
  await response.text()
  return response.status
}
