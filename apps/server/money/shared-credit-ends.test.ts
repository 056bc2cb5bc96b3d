import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it, vi } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { balanceOf, expectTrueBooks } from './testing/books.ts'
import { fixedCost, requestPico, statusOf } from './testing/fixed-cost.ts'

const patient = { timeout: 15_000, interval: 250 }

describe.each(layouts)('credit that keys share, on $engine with $nodes node(s)', ({ create, nodes }) => {
  const fleet = suiteFleet(create, nodes, fixedCost)
  const first = fleet.nodes[0]!
  const last = fleet.nodes.at(-1)!

  async function sharing(creditUsd: string): Promise<{ payer: TestKey; key: TestKey }> {
    const payer = await first.createKey({ creditUsd })
    const key = await first.createKey({ accountId: payer.accountId, drawsOn: payer.id })
    expect(await statusOf(last, key)).toBe(200)
    return { payer, key }
  }

  it('is taken back from the leases of all keys that use it when some of it is refunded', async () => {
    const { payer, key } = await sharing('0.5')
    // So that the account as a whole has no debt.
    await first.createKey({ accountId: payer.accountId, creditUsd: '50' })
    const left = await balanceOf(fleet.nodes, payer)
    expect(left).toBe(parseUsd('0.5') - requestPico)
    await first.admin(`/accounts/${payer.accountId}/credits`, {
      method: 'POST',
      body: { amount_usd: formatUsd(left), kind: 'refund', reason: 'a dispute', key_id: key.id },
    })
    for (const node of fleet.nodes)
      for (const one of [key, payer]) expect(await statusOf(node, one)).toBe(402)
    expect(await balanceOf(fleet.nodes, payer)).toBe(0n)
    await expectTrueBooks(fleet.nodes)
  })

  it('cannot be used by a key of an account that is suspended or closed', async () => {
    const { payer, key } = await sharing('0.5')
    const change = (status: string): Promise<unknown> =>
      first.admin(`/accounts/${payer.accountId}`, { method: 'PATCH', body: { status } })
    const expectAll = (status: number): Promise<void> =>
      vi.waitFor(async () => {
        for (const node of fleet.nodes)
          for (const one of [key, payer]) expect(await statusOf(node, one)).toBe(status)
      }, patient)
    await change('suspended')
    await expectAll(403)
    await change('active')
    await expectAll(200)
    const left = await balanceOf(fleet.nodes, payer)
    await change('closed')
    await expectAll(403)
    expect(await balanceOf(fleet.nodes, payer)).toBe(left)
    await expectTrueBooks(fleet.nodes)
  })

  it('is not refused to keys while their payer changes repeatedly', async () => {
    const { payer, key } = await sharing('5')
    const other = await first.createKey({ accountId: payer.accountId, creditUsd: '5' })
    const over = new AbortController()
    const path = `/accounts/${payer.accountId}/keys/${key.id}`
    const changing = (async () => {
      for (let count = 0; !over.signal.aborted; count++)
        await fleet.nodes[count % nodes]!.admin(path, {
          method: 'PATCH',
          body: { draws_on: [other, payer][count % 2]!.id },
        })
    })()
    const statuses: number[] = []
    const ask = async (node: TestNode): Promise<void> => {
      for (let count = 0; count < 25; count++) statuses.push(await statusOf(node, key))
    }
    await Promise.all([ask(first), ask(last), ask(first), ask(last)]).finally(() => over.abort())
    await changing
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    const spent = BigInt(statuses.length + 1) * requestPico
    expect((await balanceOf(fleet.nodes, payer)) + (await balanceOf(fleet.nodes, other))).toBe(
      parseUsd('10') - spent,
    )
    expect(await balanceOf(fleet.nodes, key)).toBe(0n)
    await expectTrueBooks(fleet.nodes)
  })
})
