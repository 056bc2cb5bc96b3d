import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * What tests read that is not in this repository: it is others', and much. Where they look for it is in a
 * folder `shared` beside the checkout (CONTRIBUTING.md, "Recordings").
 */
const places = {
  /** Exchanges with vendors as they were on the wire, and their index. */
  recordings: 'recordings',
  /** Errors of vendors that issues and forums quote. */
  quotedErrors: 'recordings/quoted-errors.jsonl',
  /** Usage of real answers, with what others made of it. */
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
const told = new Set<Beside>()

/** The path of it; undefined where it is not there, and then the run says once what is skipped. */
export function besideCheckout(name: Beside): string | undefined {
  const path = folder + places[name]
  if (existsSync(path)) return path
  if (!told.has(name))
    process.stdout.write(`../shared/${places[name]} is not there: what needs it is skipped\n`)
  told.add(name)
  return undefined
}

/** What is not there, by its path. */
export function missingBesideCheckout(): string[] {
  return Object.values(places)
    .filter((place) => !existsSync(folder + place))
    .map((place) => `../shared/${place}`)
}
