import { parseUsd, type PaymentMethod } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import type { NextCharge } from '@turnpike/simulators/checkout/saved-payments'
import type { Storage } from '@turnpike/storage'
import { newAccount, newKey } from '../../../../packages/storage/testing/fixtures.ts'
import { sessionIdOf, type StripeShop } from './stripe-shop.ts'

export interface AutoCustomer {
  account: Account
  method: PaymentMethod
}

/** An account that has 25 USD, bought at a checkout where its card was saved, and charges 20 below 30. */
export async function autoCustomer(
  storage: Storage,
  shop: StripeShop,
  card: NextCharge = 'succeeded',
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
    monthlyCapPico: parseUsd('1000'),
    paymentMethodId: method!.id,
  }
  await storage.autoTopups.set(account.id, settings, shop.clock.nowMs++)
  return { account, method: method! }
}
