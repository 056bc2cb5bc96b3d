import { formatUsd, parseUsd } from '@turnpike/billing'
import { describe, expect, it, vi } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { layouts, suiteFleet } from '../../../tests/nodes/vendor-fleet.ts'
import { balanceOf, expectTrueBooks } from './testing/books.ts'
import { fixedCost, requestBody, requestPico, statusOf } from './testing/fixed-cost.ts'

/** How soon a debt is enforced and credit is returned; a busy machine may take longer. */
const seconds = { timeout: 15_000, interval: 250 }

describe.each(layouts)(
  'a debt of keys of one account, on $engine with $nodes node(s)',
  ({ create, nodes }) => {
    const fleet = suiteFleet(create, nodes, fixedCost)
    const first = fleet.nodes[0]!
    const last = fleet.nodes.at(-1)!

    const ask = (node: TestNode, key: TestKey, pace = '0'): Promise<Response> =>
      node.chat(key, { ...requestBody(pace), stream: true })

    async function keysWith(...usd: string[]): Promise<TestKey[]> {
      const keys: TestKey[] = []
      for (const creditUsd of usd) {
        const accountId = keys[0]?.accountId
        keys.push(await first.createKey({ creditUsd, ...(accountId !== undefined && { accountId }) }))
      }
      return keys
    }

    const post = (key: TestKey, path: string, body: object): Promise<unknown> =>
      first.admin(`/accounts/${key.accountId}${path}`, { method: 'POST', body })

    const refund = (key: TestKey, usd: string): Promise<unknown> =>
      post(key, '/credits', { amount_usd: usd, kind: 'refund', reason: 'a dispute', key_id: key.id })

    it('binds a key to which the credit was moved before the refund', async () => {
      const [paid, sibling] = await keysWith('50', '0')
      await post(paid!, `/keys/${paid!.id}/transfer`, { to_key_id: sibling!.id, amount_usd: '50' })
      expect(await statusOf(last, sibling!)).toBe(200)
      await refund(paid!, '50')
      await vi.waitFor(async () => expect(await statusOf(last, sibling!)).toBe(402), seconds)
      const refused = await ask(last, sibling!)
      const { error } = (await refused.json()) as { error: { type: string; message: string } }
      expect(error.type).toBe('insufficient_quota')
      const keyPico = await balanceOf(fleet.nodes, sibling!)
      const accountUsd = formatUsd(keyPico - parseUsd('50'))
      expect(error.message).toContain(`The account's credit of ${accountUsd} USD does not cover this request`)
      expect(error.message).toContain(`The key has ${formatUsd(keyPico)} USD`)
      expect(error.message).toContain('other keys of the account have a negative balance')
      // No lease has any idle credit left. A grant to either key unblocks both.
      await post(paid!, '/credits', {
        amount_usd: '1',
        kind: 'grant',
        reason: 'paid again',
        key_id: paid!.id,
      })
      expect(await statusOf(last, sibling!)).toBe(200)
      await expectTrueBooks(fleet.nodes)
    })

    it('leaves the other keys what exceeds the debt, to the last request', async () => {
      const covered = 7
      const [owing, left, right] = await keysWith('1', '1', '1')
      for (const key of [owing, left, right]) expect(await statusOf(last, key!)).toBe(200)
      await expectTrueBooks(fleet.nodes)
      const leftPico = requestPico * BigInt(covered)
      const spentPico = requestPico * 3n
      await refund(owing!, formatUsd(parseUsd('3') - spentPico - leftPico))
      const statuses: number[] = []
      await vi.waitFor(
        async () => {
          const key = statuses.length % 2 === 0 ? left! : right!
          const node = statuses.length % 3 === 0 ? first : last
          const status = await statusOf(node, key)
          if (status === 200) statuses.push(status)
          expect(status).toBe(402)
        },
        { timeout: 60_000, interval: 50 },
      )
      expect(statuses).toHaveLength(covered)
      await expectTrueBooks(fleet.nodes)
      const account = await first.admin<{ balance_usd: string }>(`/accounts/${owing!.accountId}`)
      expect(account.balance_usd).toBe('0')
    })

    it('is not spent by requests that begin when others of the same key have ended', async () => {
      const [owing, key] = await keysWith('0', '1')
      const running = await Promise.all([ask(last, key!, '30/s'), ask(last, key!, '30/s')])
      await refund(owing!, '5')
      const ended = Promise.all(running.map((response) => response.text()))
      const during: number[] = []
      await vi.waitFor(async () => {
        during.push(await statusOf(last, key!))
        expect(during.at(-1)).toBe(402)
      }, seconds)
      expect((await ended).every((text) => text.endsWith('data: [DONE]\n\n'))).toBe(true)
      for (let count = 0; count < 3; count++) expect(await statusOf(last, key!)).toBe(402)
      await expectTrueBooks(fleet.nodes)
    })
  },
)
