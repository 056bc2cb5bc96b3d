import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it, vi } from 'vitest'
import type { TestKey } from '../../../tests/nodes/test-node.ts'
import { echoing, layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { balanceOf, expectTrueBooks, flushAll } from './testing/books.ts'

const completionPrice = '0.00001'
const tokens = 30
const chargePico = BigInt(tokens) * parseUsd(completionPrice)
/** Far more than the answer takes: the end of the request has to release the rest. */
const bound = 100 * tokens
/** How soon credit is returned; a busy machine may take longer. */
const seconds = { timeout: 15_000, interval: 250 }

interface Account {
  balance_usd: string
  unassigned_usd: string
}

describe.each(layouts)(
  'the credit that a request holds while its key ends, on $engine with $nodes node(s)',
  ({ create, nodes }) => {
    const fleet = suiteFleet(create, nodes, echoing(completionPrice))
    const first = fleet.nodes[0]!
    const last = fleet.nodes.at(-1)!

    async function ask(key: TestKey, knobs: string, signal?: AbortSignal): Promise<Response> {
      const { journal } = fleet.vendor
      const before = journal.total
      const messages = [{ role: 'user', content: `go on [sandbox: ${knobs}]` }]
      const body = { model: 'vendor/echo', stream: true, max_completion_tokens: bound, messages }
      const answer = last.chat(key, body, signal === undefined ? {} : { signal })
      answer.catch(() => undefined)
      await vi.waitFor(() => expect(journal.total).toBeGreaterThan(before), seconds)
      return answer
    }

    const pathOf = (key: TestKey): string => `/accounts/${key.accountId}/keys/${key.id}`
    const revoke = (key: TestKey): Promise<unknown> => first.admin(pathOf(key), { method: 'DELETE' })

    async function heirAndKey(): Promise<[heir: TestKey, key: TestKey]> {
      const heir = await first.createKey({ creditUsd: '0' })
      return [heir, await first.createKey({ accountId: heir.accountId, creditUsd: '1' })]
    }

    it('moves to the default key soon after the answer', async () => {
      const [heir, key] = await heirAndKey()
      const running = await ask(key, `tokens=${tokens} pace=30/s`)
      await revoke(key)
      expect(await running.text()).toContain('[DONE]')
      const expected = parseUsd('1') - chargePico
      await vi.waitFor(async () => expect(await balanceOf(fleet.nodes, heir)).toBe(expected), seconds)
      expect(await balanceOf(fleet.nodes, key)).toBe(0n)
      await expectTrueBooks(fleet.nodes)
    })

    it('moves to the default key soon after the caller left', async () => {
      const [heir, key] = await heirAndKey()
      const leaving = new AbortController()
      await ask(key, 'tokens=3000 pace=10/s', leaving.signal)
      await revoke(key)
      leaving.abort()
      await vi.waitFor(async () => {
        const leftPico = await balanceOf(fleet.nodes, heir)
        expect(leftPico).toBeGreaterThan(parseUsd('0.99'))
        expect(await balanceOf(fleet.nodes, key)).toBe(0n)
      }, seconds)
      await expectTrueBooks(fleet.nodes)
    })

    it('moves to the default key soon after the vendor failed, all of it', async () => {
      const [heir, key] = await heirAndKey()
      const asked = ask(key, 'delay=2s error=400')
      await vi.waitFor(() => expect(fleet.vendor.journal.open).toBe(1), seconds)
      await revoke(key)
      expect((await asked).status).toBe(400)
      await vi.waitFor(async () => expect(await balanceOf(fleet.nodes, heir)).toBe(parseUsd('1')), seconds)
      await expectTrueBooks(fleet.nodes)
    })

    it('waits unassigned soon after the answer if there is no other key', async () => {
      const key = await first.createKey({ creditUsd: '1' })
      const running = await ask(key, `tokens=${tokens} pace=30/s`)
      await revoke(key)
      expect(await running.text()).toContain('[DONE]')
      const expected = { balance_usd: '0', unassigned_usd: formatUsd(parseUsd('1') - chargePico) }
      await vi.waitFor(async () => {
        await flushAll(fleet.nodes)
        expect(await first.admin<Account>(`/accounts/${key.accountId}`)).toMatchObject(expected)
      }, seconds)
      await expectTrueBooks(fleet.nodes)
    })

    // The answer continues until the old key has been revoked, some seconds after the grace period.
    it('moves to the new key soon after the answer if the old one’s grace period ended', async () => {
      const key = await first.createKey({ creditUsd: '1' })
      const running = await ask(key, `tokens=${tokens} pace=4/s`)
      const made = await first.admin<{ id: string; raw: string }>(`${pathOf(key)}/rotate`, {
        method: 'POST',
        body: { grace_seconds: 1 },
      })
      expect(await running.text()).toContain('[DONE]')
      const expected = parseUsd('1') - chargePico
      await vi.waitFor(
        async () => expect(await balanceOf(fleet.nodes, { ...key, ...made })).toBe(expected),
        seconds,
      )
      await expectTrueBooks(fleet.nodes)
    })
  },
)
