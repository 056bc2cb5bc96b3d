import { AutoTopups, parseUsd } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import { openStorage, type Storage } from '@turnpike/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import { onEachEngine } from '../../../packages/storage/testing/test-database.ts'
import { autoTools, type AutoCustomer } from './testing/auto-customer.ts'
import { buyers, suiteShop } from './testing/stripe-shop.ts'

const minuteMs = 60_000
const usd = parseUsd

describe('credit that runs low', () => {
  onEachEngine((opened) => {
    const shop = suiteShop(opened)
    let auto: AutoTopups
    /** Another node's stores. This node learns nothing of their changes. */
    let elsewhere: Storage
    beforeAll(async () => {
      elsewhere = await openStorage(opened().database.options)
      auto = newNode()
    })
    afterAll(() => elsewhere.close())

    const { balanceOf } = buyers(opened)
    const { clock, customer, newNode, settingOf, pass, chargesOf, store } = autoTools(opened, shop)

    /** An account after one charge: it has 45 USD with a threshold of 30, and its pause is over. */
    async function contentCustomer(): Promise<AutoCustomer> {
      const made = await customer()
      await auto.run()
      expect([chargesOf(made.method), await balanceOf(made.account)]).toEqual([1, usd('45')])
      pass(10 * minuteMs)
      await auto.run()
      return made
    }
    async function use({ id }: Account, amount: string, stores: Storage): Promise<void> {
      const [key] = (await stores.apiKeys.list(id, { limit: 1 })).rows
      await stores.requests.write('node_x', [
        newRecord(key!, { startedAtMs: Date.now(), chargePico: usd(amount) }),
      ])
    }
    const take = ({ id }: Account, kind: 'adjustment' | 'refund') =>
      opened().storage.ledger.move(
        {
          accountId: id,
          kind,
          amountPico: -usd('20'),
          reference: `${kind}:${id}`,
          reason: null,
        },
        clock(),
      )

    it.each<[string, (customer: AutoCustomer) => Promise<unknown>]>([
      ['usage', ({ account }) => use(account, '20', opened().storage)],
      ['an adjustment', ({ account }) => take(account, 'adjustment')],
      ['a refund', ({ account }) => take(account, 'refund')],
      [
        'a threshold that was raised',
        async ({ account }) => {
          const settings = { ...(await settingOf(account)), thresholdPico: usd('50') }
          await store().set(account.id, settings, clock())
        },
      ],
      [
        'a reactivated account',
        async ({ account }) => {
          const { accounts } = opened().storage
          await accounts.update(account.id, { status: 'suspended' })
          await use(account, '20', opened().storage)
          await auto.run()
          await accounts.update(account.id, { status: 'active' })
        },
      ],
    ])('because of %s is noticed at the next check', async (_, lower) => {
      const made = await contentCustomer()
      await lower(made)
      expect(chargesOf(made.method)).toBe(1)
      pass(5_000)
      await auto.run()
      expect(chargesOf(made.method)).toBe(2)
    })

    it('during the pause is noticed after it', async () => {
      const made = await customer()
      await auto.run()
      await use(made.account, '20', opened().storage)
      const { nextAtMs } = await settingOf(made.account)
      for (let looks = 0; looks < 100 && clock() < nextAtMs - 5_000; looks++) {
        pass(5_000)
        await auto.run()
        expect(chargesOf(made.method)).toBe(1)
      }
      pass(6_000)
      await auto.run()
      expect(chargesOf(made.method)).toBe(2)
    })

    it('on a node that has ended since is noticed within a minute', async () => {
      const made = await contentCustomer()
      await use(made.account, '20', elsewhere)
      for (let looks = 0; looks < 13 && chargesOf(made.method) < 2; looks++) {
        pass(5_000)
        await auto.run()
      }
      expect(chargesOf(made.method)).toBe(2)
    })

    it('in more accounts than one check takes is noticed in the next checks', async () => {
      const many: AutoCustomer[] = []
      for (let count = 0; count < 25; count++) many.push(await customer())
      pass(10 * minuteMs)
      for (let looks = 0; looks < 4; looks++) {
        pass(5_000)
        await auto.run()
      }
      expect(many.map(({ method }) => chargesOf(method))).toEqual(many.map(() => 1))
      pass(10 * minuteMs)
      await auto.run()
      for (const { account } of many) await use(account, '20', opened().storage)
      for (let looks = 0; looks < 4; looks++) {
        pass(5_000)
        await auto.run()
      }
      expect(many.map(({ method }) => chargesOf(method))).toEqual(many.map(() => 2))
    }, 60_000)
  })
})
