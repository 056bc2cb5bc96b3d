import { formatUsd } from '@turnpike/billing'
import { describe, expect, it } from 'vitest'
import { statusesAsTold } from './testing/as-told.ts'
import { expectTrueBooks } from './testing/books.ts'
import { fixedCost, requestPico, statusOf } from './testing/fixed-cost.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const rounds = 20
const clients = 40

describe.each(layouts)(
  `${clients} clients, credit for exactly N requests, $engine, nodes: $nodes`,
  ({ create, nodes }) => {
    const world = suiteFleet(create, nodes, fixedCost)
    const fleet = world.nodes

    it(`serves exactly N of them, in each of ${rounds} rounds`, async () => {
      const seed = Date.now() & 0xffff
      for (let round = 0; round < rounds; round++) {
        const covered = 1 + ((seed + round * 7) % (clients - 1))
        const key = await fleet[0]!.createKey({ creditUsd: formatUsd(requestPico * BigInt(covered)) })
        const askAs = (client: number): Promise<number> => statusOf(fleet[client % nodes]!, key)
        const statuses = await statusesAsTold(clients, askAs, { expected: covered, nodes })
        const label = `seed ${seed}, round ${round}, covered ${covered}`
        expect(statuses.filter((status) => status === 200).length, label).toBe(covered)
        for (const status of statuses) expect([200, 402, 429], label).toContain(status)
        // All credit is spent, on every node, so waiting does not help.
        for (const node of fleet) await node.admin(`/accounts/${key.accountId}`)
        for (const node of fleet) expect(await statusOf(node, key), label).toBe(402)
        const { balance_usd: balance } = await fleet[0]!.admin<{ balance_usd: string }>(
          `/accounts/${key.accountId}`,
        )
        expect(balance, label).toBe('0')
      }
      await expectTrueBooks(fleet)
    }, 600_000)
  },
)
