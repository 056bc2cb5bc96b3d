import { AutoTopups, parseUsd, type AutoTopup, type PaymentMethod } from '@turnpike/billing'
import { readStripeEvent } from '@turnpike/billing/stripe-event'
import type { Account } from '@turnpike/identity'
import type { NextCharge } from '@turnpike/simulators/checkout/saved-payments'
import type { StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import type { Storage } from '@turnpike/storage'
import { signDelivery } from '../../../../packages/billing/topups/testing/sign-delivery.ts'
import { newAccount, newKey } from '../../../../packages/storage/testing/fixtures.ts'
import { sessionIdOf, webhookSecret, type StripeShop } from './stripe-shop.ts'

export interface AutoCustomer {
  account: Account
  method: PaymentMethod
}

/** An account that has 25 USD, bought at a checkout where its card was saved, and charges 20 below 30. */
async function autoCustomer(
  storage: Storage,
  shop: StripeShop,
  card: NextCharge = 'succeeded',
  { monthlyCap = '1000' }: { monthlyCap?: string } = {},
): Promise<AutoCustomer> {
  const account = await newAccount(storage)
  await newKey(storage, account.id)
  const topup = await shop.topups.open({
    accountId: account.id,
    keyId: null,
    amountPico: parseUsd('25'),
    idempotencyKey: null,
    savesMethod: true,
  })
  await shop.deliver(shop.stripe.account.pay(sessionIdOf(topup), { card }))
  const [method] = await storage.autoTopups.methods(account.id)
  const settings = {
    enabled: true,
    thresholdPico: parseUsd('30'),
    amountPico: parseUsd('20'),
    monthlyCapPico: parseUsd(monthlyCap),
    paymentMethodId: method!.id,
  }
  await storage.autoTopups.set(account.id, settings, shop.clock.nowMs++)
  return { account, method: method! }
}

/** What tests of automatic top-ups do and look at; stores and `shop` are there once a test runs. */
export function autoTools(opened: () => { storage: Storage }, shop: StripeShop) {
  const storage = (): Storage => opened().storage
  const clock = (): number => shop.clock.nowMs++
  const store = () => storage().autoTopups
  return {
    clock,
    store,
    customer: (card?: NextCharge, settings?: { monthlyCap?: string }): Promise<AutoCustomer> =>
      autoCustomer(storage(), shop, card, settings),
    /** Of those on the same database, one. */
    newNode: (): AutoTopups => {
      const { topups, processor, log } = shop
      return new AutoTopups({ store: store(), topups, processor, clock, log })
    },
    settingOf: async ({ id }: Account): Promise<AutoTopup> => (await store().find(id))!,
    /** What was told of it, the newest first. */
    eventsOf: async ({ id }: Account): Promise<string[]> => {
      const { rows } = await storage().events.list(id, { limit: 50 })
      return rows.map(({ type }) => type).filter((type) => type.startsWith('auto_topup'))
    },
    pass: (ms: number): void => {
      shop.clock.nowMs += ms
      shop.stripe.account.passTime(Math.ceil(ms / 1000))
    },
    /** What Stripe has really taken from the account's card, without the checkout. */
    chargesOf: ({ customerId }: PaymentMethod): number =>
      shop.stripe.account.saved.succeeded.filter(
        (one) =>
          one['customer'] === customerId && (one['metadata'] as { origin?: string })['origin'] === 'auto',
      ).length,
    /** As Stripe's webhook would, at this node. */
    deliver: async (event: StripeEvent, node: AutoTopups): Promise<void> => {
      const { body, signature } = signDelivery(event, webhookSecret)
      const read = readStripeEvent(body, signature, webhookSecret)
      await (read.about === 'charge' ? node.settle(read.charge) : shop.topups.settle(read))
    },
  }
}
