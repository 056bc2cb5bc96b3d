import type { RequestRecord } from '@turnpike/gateway'
import { seededRandom } from '@turnpike/simulators'
import { newRecord } from '../../../packages/storage/testing/fixtures.ts'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'

const dayMs = 86_400_000
const batchSize = 2_000
/** The vendor cost is only known for this many of the last days. */
const costedDays = 26

interface SeedModel {
  id: string
  provider: string
  /** How often the model is used, relative to the others. */
  weight: number
  /** Pico-USD per token: input, output. */
  pricesPico: [bigint, bigint]
}

const models: SeedModel[] = [
  { id: 'openai/gpt-5-mini', provider: 'openai', weight: 42, pricesPico: [250_000n, 2_000_000n] },
  {
    id: 'anthropic/claude-sonnet-4-5',
    provider: 'anthropic',
    weight: 24,
    pricesPico: [3_000_000n, 15_000_000n],
  },
  { id: 'google/gemini-2.5-flash', provider: 'google', weight: 20, pricesPico: [300_000n, 2_500_000n] },
  { id: 'deepseek/deepseek-chat', provider: 'deepseek', weight: 10, pricesPico: [280_000n, 420_000n] },
  { id: 'mistral/mistral-small-latest', provider: 'mistral', weight: 4, pricesPico: [100_000n, 300_000n] },
]
const tagSets = [
  ['team:search', 'env:prod'],
  ['team:support', 'env:prod'],
  ['team:support', 'env:staging'],
  ['batch:nightly'],
  [],
]
const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', null, null, null]

/** Generates requests over the last days, fewer on weekends and more recently. The same on each run. */
export async function seedRequests(
  node: TestNode,
  keys: readonly TestKey[],
  { count, days }: { count: number; days: number },
): Promise<void> {
  const random = seededRandom(20_261_121)
  const nowMs = Date.now()
  let batch: RequestRecord[] = []
  for (let index = 0; index < count; index++) {
    batch.push(recordAt(nowMs - ageMs(random, days), keys, random))
    if (batch.length < batchSize && index < count - 1) continue
    await node.storage.requests.write('node_of_the_seed', batch)
    batch = []
  }
}

function ageMs(random: () => number, days: number): number {
  for (;;) {
    const age = random() * random() ** 0.4 * days * dayMs
    const weekday = new Date(Date.now() - age).getUTCDay()
    if ((weekday !== 0 && weekday !== 6) || random() < 0.35) return age
  }
}

function recordAt(startedAtMs: number, keys: readonly TestKey[], random: () => number): RequestRecord {
  const model = weighted(random)
  const key = keys[Math.floor(random() ** 1.6 * keys.length)]!
  const tags = tagSets[Math.floor(random() ** 1.3 * tagSets.length)]!
  const tier = tiers[Math.floor(random() * tiers.length)] ?? null
  const firstTokenMs = 120 + Math.floor(random() * 900)
  const durationMs = firstTokenMs + Math.floor(random() * 6_000)
  const name = model.id.slice(model.provider.length + 1)
  const common = {
    startedAtMs: Math.floor(startedAtMs),
    modelAsked: tier === null ? model.id : 'auto',
    tags,
    tier,
    endpoint: model.provider === 'anthropic' ? ('messages' as const) : ('chat.completions' as const),
  }
  const attempt = {
    provider: model.provider,
    model: name,
    status: 200,
    result: 'ok',
    durationMs: firstTokenMs,
  }
  if (random() < 0.012)
    return failed(key, { ...common, attempts: [{ ...attempt, status: 503, result: 'status-503' }] })
  const tokensIn = 60 + Math.floor(random() ** 3 * 9_000)
  const tokensOut = 20 + Math.floor(random() ** 2 * 1_400)
  const [input, output] = model.pricesPico
  const vendorCostPico = BigInt(tokensIn) * input + BigInt(tokensOut) * output
  const overloaded = { ...attempt, status: 529, result: 'status-529', durationMs: 210 }
  return newRecord(
    { id: key.id, accountId: key.accountId },
    {
      ...common,
      provider: model.provider,
      modelServed: model.id,
      tokensIn,
      tokensOut,
      usage: { inputTokens: tokensIn, outputTokens: tokensOut, raw: rawUsage(tokensIn, tokensOut) },
      pricing: { prompt: perToken(input), completion: perToken(output) },
      priceVersion: `price_${name}`,
      markup: '1.25',
      chargePico: (vendorCostPico * 5n) / 4n,
      // As on a gateway that was upgraded some weeks ago.
      vendorCostPico: startedAtMs < Date.now() - costedDays * dayMs ? null : vendorCostPico,
      holdPico: 20_000_000_000n,
      attempts: random() < 0.06 ? [overloaded, attempt] : [attempt],
      durationMs,
      firstTokenMs,
    },
  )
}

function rawUsage(tokensIn: number, tokensOut: number): object {
  return { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut }
}

/** A price per token as the API writes it. */
function perToken(pricePico: bigint): string {
  return `0.${String(pricePico).padStart(12, '0').replace(/0+$/, '')}`
}

function failed(key: TestKey, changes: Partial<RequestRecord>): RequestRecord {
  return newRecord(
    { id: key.id, accountId: key.accountId },
    {
      ...changes,
      outcome: 'failed',
      status: 503,
      errorType: 'service_unavailable',
      modelServed: null,
      provider: null,
      usage: null,
      tokensIn: 0,
      tokensOut: 0,
      chargePico: 0n,
      firstTokenMs: null,
    },
  )
}

function weighted(random: () => number): SeedModel {
  let rest = random() * models.reduce((sum, { weight }) => sum + weight, 0)
  return models.find(({ weight }) => (rest -= weight) < 0) ?? models[0]!
}
