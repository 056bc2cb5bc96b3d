import {
  AutoTopups,
  parseUsd,
  type AutoTopup,
  type PaymentMethod,
  type PaymentProcessor,
} from '@turnpike/billing'
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

/** An account with 25 USD, bought at a checkout that saved its card. It charges 20 USD below 30 USD. */
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

interface NodeOptions {
  charge?: PaymentProcessor['charge']
  processor?: PaymentProcessor
  mayCharge?: boolean
}

/** Tools for tests of automatic top-ups. The stores and `shop` exist once a test runs. */
export function autoTools(opened: () => { storage: Storage }, shop: StripeShop) {
  const storage = (): Storage => opened().storage
  const clock = (): number => shop.clock.nowMs++
  const store = () => storage().autoTopups
  return {
    clock,
    store,
    customer: (card?: NextCharge, settings?: { monthlyCap?: string }): Promise<AutoCustomer> =>
      autoCustomer(storage(), shop, card, settings),
    /**
     * Another node on the same database.
     * @param charge replaces the processor's charge
     */
    newNode: ({ charge, ...options }: NodeOptions = {}): AutoTopups => {
      const { topups, log } = shop
      const processor = charge === undefined ? shop.processor : { ...shop.processor, charge }
      return new AutoTopups({ store: store(), topups, processor, clock, log, ...options })
    },
    settingOf: async ({ id }: Account): Promise<AutoTopup> => (await store().find(id))!,
    /** The events of the account, the newest first. */
    eventsOf: async ({ id }: Account): Promise<string[]> => {
      const { rows } = await storage().events.list(id, { limit: 50 })
      return rows.map(({ type }) => type).filter((type) => type.startsWith('auto_topup'))
    },
    pass: (ms: number): void => {
      shop.clock.nowMs += ms
      shop.stripe.account.passTime(Math.ceil(ms / 1000))
    },
    /** What Stripe has taken from the account's card, without the checkout. */
    chargesOf: ({ customerId }: PaymentMethod): number =>
      shop.stripe.account.saved.succeeded.filter(
        (one) =>
          one['customer'] === customerId && (one['metadata'] as { origin?: string })['origin'] === 'auto',
      ).length,
    /** Delivers an event to this node, as Stripe's webhook would. */
    deliver: async (event: StripeEvent, node: AutoTopups): Promise<void> => {
      const { body, signature } = signDelivery(event, webhookSecret)
      const read = readStripeEvent(body, signature, webhookSecret)
      await (read.about === 'charge' ? node.settle(read.charge) : shop.topups.settle(read))
    },
  }
}
