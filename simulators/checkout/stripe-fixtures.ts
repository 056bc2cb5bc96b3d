import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** An object of Stripe's API. */
export type StripeObject = Record<string, unknown> & { id: string }

/** Stripe's own example of each of its objects. */
export type StripeFixtures = Record<string, StripeObject>

const file = fileURLToPath(new URL('../../../shared/specs/stripe-fixtures3.json', import.meta.url))

/** Undefined where the shared folder is not beside the checkout. */
export function stripeFixtures(): StripeFixtures | undefined {
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { resources: StripeFixtures }).resources
}
