import { describe, expect, it, vi } from 'vitest'
import { echoing, layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'

const soon = { timeout: 15_000, interval: 50 }
const limitUsd = '1'

describe.each(layouts.filter(({ nodes }) => nodes === 1))(
  'a caller who leaves while the node waits for budget, $engine',
  ({ create }) => {
    const fleet = suiteFleet(create, 1, echoing('0.00001'))
    const node = fleet.nodes[0]!

    it('leaves nothing held, however late the response comes', async () => {
      const key = await node.createKey({ creditUsd: '10' })
      const path = `/accounts/${key.accountId}/budgets`
      const budget = { name: 'b', scope: 'organization', period: 'total', limit_usd: limitUsd }
      const { id } = await node.admin<{ id: string }>(path, { method: 'POST', body: budget })
      const { budgetLeases } = node.storage
      const take = budgetLeases.take.bind(budgetLeases)
      const gate = Promise.withResolvers<void>()
      const takeSpy = vi.spyOn(budgetLeases, 'take').mockImplementation(async (...wish) => {
        await gate.promise
        return take(...wish)
      })
      const leaving = new AbortController()
      const request = {
        model: 'vendor/echo',
        max_completion_tokens: 1_000,
        messages: [{ role: 'user', content: 'go on [sandbox: tokens=5 pace=0]' }],
      }
      const answer = node.chat(key, request, { signal: leaving.signal })
      answer.catch(() => undefined)
      try {
        await vi.waitFor(() => expect(takeSpy).toHaveBeenCalled(), soon)
        leaving.abort()
        await expect(answer).rejects.toThrow()
        gate.resolve()
        await vi.waitFor(async () => {
          const rows = await node.admin<{ data: unknown[] }>(`/accounts/${key.accountId}/usage/requests`)
          expect(rows.data).toHaveLength(1)
        }, soon)
      } finally {
        takeSpy.mockRestore()
        gate.resolve()
      }
      // Lowers the limit to what is spent: anything still held would stay reserved and be reported.
      await node.admin(`${path}/${id}`, { method: 'PATCH', body: { limit_usd: '0.5' } })
      await vi.waitFor(async () => {
        const record = await node.admin<Record<string, string>>(`${path}/${id}`)
        expect(record['reserved_usd']).toBe('0')
      }, soon)
      expect(await node.admin('/ledger/verify')).toMatchObject({ ok: true, differences: [] })
    })
  },
)
