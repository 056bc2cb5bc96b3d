import {
  parseUsd,
  Topups,
  topupStatusOf,
  type PaymentProcessor,
  type Topup,
  type TopupLog,
} from '@turnpike/billing'
import { stripeProcessor, type StripeOptions } from '@turnpike/billing/stripe'
import { readStripeEvent } from '@turnpike/billing/stripe-event'
import type { Account } from '@turnpike/identity'
import { FakeStripe } from '@turnpike/simulators/checkout/fake-stripe'
import type { StripeEvent } from '@turnpike/simulators/checkout/stripe-account'
import { stripeFixtures } from '@turnpike/simulators/checkout/stripe-fixtures'
import type { Storage } from '@turnpike/storage'
import { beforeAll } from 'vitest'
import { newAccount, newKey } from '../../../../packages/storage/testing/fixtures.ts'
import { signDelivery } from '../../../../packages/billing/topups/testing/sign-delivery.ts'

export const secretKey = 'sk_test_of_a_test'
export const webhookSecret = 'whsec_of_a_test'

export const fixtures = stripeFixtures()

type StripeTax = NonNullable<StripeOptions['tax']>

/** Top-ups over real stores, and a simulated Stripe that the official SDK calls. */
export interface StripeShop {
  stripe: FakeStripe
  topups: Topups
  processor: PaymentProcessor
  /** The same Stripe with other tax settings. */
  processorWith(tax: StripeTax): PaymentProcessor
  log: TopupLog
  clock: { nowMs: number }
  logLines: string[]
  open(accountId: string, usd: string, keyId?: string): Promise<Topup>
  /** Handles an event as the webhook does. */
  deliver(event: StripeEvent): Promise<void>
}

async function openStripeShop(storage: Storage, tax?: StripeTax): Promise<StripeShop> {
  const stripe = new FakeStripe({ fixtures, secretKey })
  await stripe.listen()
  const clock = { nowMs: Date.now() }
  const logLines: string[] = []
  const say = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void logLines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const log: TopupLog = { warn: say('warn'), error: say('error') }
  const processorWith = (taxSettings: StripeTax | undefined): PaymentProcessor =>
    stripeProcessor({
      secretKey,
      apiBase: stripe.origin,
      returnUrl: ({ id }) => `http://x.test/${id}`,
      ...(taxSettings !== undefined && { tax: taxSettings }),
    })
  const processor = processorWith(tax)
  const topups = new Topups({
    store: storage.topups,
    methods: storage.autoTopups,
    processor,
    // A millisecond each, so that entries are listed in their order.
    clock: () => clock.nowMs++,
    log,
    onDebit: async (keyId) => void logLines.push(`debit ${keyId}`),
  })
  return {
    stripe,
    topups,
    processor,
    processorWith,
    log,
    clock,
    logLines,
    open: (accountId, usd, keyId) =>
      topups.open({ accountId, keyId: keyId ?? null, amountPico: parseUsd(usd), idempotencyKey: null }),
    async deliver(event) {
      const { body, signature } = signDelivery(event, webhookSecret)
      await topups.settle(readStripeEvent(body, signature, webhookSecret))
    },
  }
}

/** The shop of a test suite. Its parts exist once a test runs. */
export function suiteShop(opened: () => { storage: Storage }, tax?: StripeTax): StripeShop {
  const shop = {} as StripeShop
  beforeAll(async () => {
    Object.assign(shop, await openStripeShop(opened().storage, tax))
    return () => shop.stripe.close()
  })
  return shop
}

export function sessionIdOf(topup: Topup): string {
  return topup.checkout!.sessionId
}

/** An account with one key, in stores that may be opened later. */
export function buyers(opened: () => { storage: Storage }) {
  const storage = (): Storage => opened().storage
  return {
    accountWithKey: async (): Promise<Account> => {
      const account = await newAccount(storage())
      await newKey(storage(), account.id)
      return account
    },
    balanceOf: async ({ id }: Account): Promise<bigint> => (await storage().accounts.find(id))!.balancePico,
    statusOf: async ({ id }: Topup): Promise<string> => topupStatusOf((await storage().topups.find(id))!),
  }
}
