import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Test data that is not in this repository, because others own it and it is large. Tests look for it in a
 * folder `shared` next to the checkout (CONTRIBUTING.md, "Recordings").
 */
const places = {
  /** Recorded exchanges with vendors as they were on the wire, and their index. */
  recordings: 'recordings',
  /** Vendors' errors quoted in issues and forums. */
  quotedErrors: 'recordings/quoted-errors.jsonl',
  /** Usage of real answers, with the prices that others computed for it. */
  usagePricing: 'recordings/usage-pricing.jsonl',
  /** OpenAI's own description of its API. */
  openaiSchemas: 'specs/openai-openapi.json',
  /** Stripe's own example of each of its objects. */
  stripeObjects: 'specs/stripe-fixtures3.json',
  /** Prompts, with the models that answered them well. */
  routingData: 'routing-data/dev',
} as const

type Beside = keyof typeof places

const folder = fileURLToPath(new URL('../../shared/', import.meta.url))
const reported = new Set<Beside>()

/** Its path; undefined if it is missing, and then the run reports once what is skipped. */
export function besideCheckout(name: Beside): string | undefined {
  const path = folder + places[name]
  if (existsSync(path)) return path
  if (!reported.has(name))
    process.stdout.write(`../shared/${places[name]} is not there: what needs it is skipped\n`)
  reported.add(name)
  return undefined
}

/** Paths of the missing data. */
export function missingBesideCheckout(): string[] {
  return Object.values(places)
    .filter((place) => !existsSync(folder + place))
    .map((place) => `../shared/${place}`)
}
