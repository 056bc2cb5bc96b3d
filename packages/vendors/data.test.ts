import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilePricing, formatUsd, rate } from '@turnpike/billing'
import { calcPrice } from '@pydantic/genai-prices'
import type { Pricing } from '@turnpike/protocol'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'
import { describe, expect, test } from 'vitest'
import { Catalog } from './catalog.ts'
import { modelsWithTiers } from './default-tiers.ts'
import { dataText, generateModels } from './generate.ts'
import { readPackagedSource, packagedSourceName } from './generator/packaged-source.ts'
import { pricingAt } from './prices/periods.ts'
import { registryFile, registryText } from './generator/registry-text.ts'
import { vendors } from './registry.ts'
import { readVendorData } from './generator/vendor-data.ts'
import { loadVendors } from './generator/vendor-files.ts'
import { catalogModel, type VendorModel } from './vendor-model.ts'
import { guideFile, withVendorTable } from './generator/vendor-table.ts'
import type { Vendor } from './vendor.ts'

const described = await loadVendors()
const offering = described.filter(({ facts }) => facts !== undefined).map(({ vendor }) => vendor)
const modelsOf = (vendor: Vendor): VendorModel[] => readVendorData(vendor.name)?.models ?? []
const everyModel = offering.flatMap((vendor) => modelsOf(vendor).map((model) => ({ vendor, model })))
/** The day of the prices in these tests. */
const nowMs = Date.parse('2026-11-21T12:00:00Z')

test('the data matches the price source and our facts (run: node packages/vendors/generate.ts)', () => {
  const source = readPackagedSource(described)
  for (const { vendor, facts } of described) {
    if (facts === undefined) continue
    const { models, problems } = generateModels(vendor, facts, source)
    expect(problems).toEqual([])
    const data = readVendorData(vendor.name)!
    expect(data.source).toBe(packagedSourceName)
    expect(dataText(data), vendor.name).toBe(dataText({ ...data, models }))
  }
})

test('the registry and the guide’s table list the files of vendors/ (run the same)', () => {
  const all = described.map(({ vendor }) => vendor)
  expect(readFileSync(registryFile, 'utf8')).toBe(registryText(all))
  const guide = readFileSync(guideFile, 'utf8')
  expect(guide).toBe(withVendorTable(guide, all))
  expect(vendors).toEqual(all)
})

const recordings = besideCheckout('recordings')

test.skipIf(recordings === undefined)(
  'a vendor is untried if and only if no exchange with it was recorded',
  () => {
    const cases = readFileSync(join(recordings!, 'INDEX.jsonl'), 'utf8').trim().split('\n')
    const recorded = new Set(cases.map((line) => (JSON.parse(line) as { vendor: string }).vendor))
    recorded.add(recorded.has('gemini-vertex') ? 'vertex' : '')
    const untried = vendors.filter((vendor) => vendor.untried === true).map(({ name }) => name)
    expect(vendors.map(({ name }) => name).filter((name) => !recorded.has(name))).toEqual(untried)
  },
)

test('the default models of auto-routing exist and have prices', () => {
  const priced = everyModel.filter(({ model }) => model.prices.length > 0)
  const names = priced.map(({ vendor, model }) => `${vendor.name}/${model.id}`)
  expect(modelsWithTiers().filter((name) => !names.includes(name))).toEqual([])
})

test('a vendor whose models the operator configures has none; all others have some', () => {
  const without = vendors.filter((vendor) => modelsOf(vendor).length === 0)
  expect(without.map(({ name }) => name)).toEqual([
    'ai21',
    'cloudflare',
    'databricks',
    'deepinfra',
    'github',
    'jina',
    'novita',
    'nvidia',
    'ollama',
    'sambanova',
    'snowflake',
    'vllm',
  ])
})

describe('every model', () => {
  test.each(everyModel.map(({ vendor, model }) => [`${vendor.name}/${model.id}`, vendor, model] as const))(
    '%s',
    (_id, vendor, model) => {
      expect(model.context).toBeGreaterThan(0)
      const answers = model.operations?.includes('generate') !== false
      // https://platform.openai.com/docs/guides/moderation: free of charge.
      const isFree = model.id.startsWith('omni-moderation-')
      expect(model.output > 0).toBe(answers)
      expect(model.output).toBeLessThanOrEqual(model.context)
      expect(model.input).toContain('text')
      const takenOver = Date.parse(readVendorData(vendor.name)!.date)
      expect(Date.parse(model.released)).toBeLessThanOrEqual(takenOver)
      if (answers) expect(model.parameters).toContain('max_tokens')
      for (const { pricing } of model.prices) expectPlausible(pricing, { answers, isFree })
    },
  )

  test('has a price, apart from these', () => {
    const unpriced = everyModel.filter(({ model }) => model.prices.length === 0)
    expect(unpriced.map(({ vendor, model }) => `${vendor.name}/${model.id}`)).toEqual([
      'gemini/gemma-4-26b-a4b-it',
      'gemini/gemma-4-31b-it',
    ])
  })

  test('that caches for an hour at Bedrock has a price for it', () => {
    const claudes = everyModel.filter(
      ({ vendor, model }) => vendor.name === 'bedrock' && /claude/u.test(model.id),
    )
    expect(claudes.length).toBeGreaterThan(40)
    for (const { model } of claudes) {
      const { pricing } = catalogModel(model, 'bedrock', 'bedrock', nowMs)
      const { prompt, input_cache_write_1h: hour } = pricing!
      expect(Number(hour), model.id).toBeCloseTo(2 * Number(prompt), 12)
    }
  })

  test('has names of its own', () => {
    for (const vendor of offering) {
      const names = modelsOf(vendor).flatMap(({ id, aliases }) => [id, ...Object.keys(aliases ?? {})])
      expect(names.length, vendor.name).toBe(new Set(names).size)
    }
  })
})

/**
 * Cached input is cheaper, and writing to a cache more expensive; only models known to be free cost nothing.
 */
function expectPlausible(
  { overrides = [], ...base }: Pricing,
  { answers, isFree }: { answers: boolean; isFree: boolean },
): void {
  for (const prices of [base, ...overrides.map((override) => ({ ...base, ...override }))]) {
    const isBilledOtherwise = base.search_unit !== undefined
    if (!isFree) expect(Number(isBilledOtherwise ? base.search_unit : prices.prompt)).toBeGreaterThan(0)
    if (answers) expect(Number(prices.completion)).toBeGreaterThanOrEqual(Number(prices.prompt))
    expect(Number(prices.input_cache_read ?? prices.prompt)).toBeLessThanOrEqual(Number(prices.prompt))
    expect(Number(prices.input_cache_write ?? prices.prompt)).toBeGreaterThanOrEqual(Number(prices.prompt))
    for (const price of Object.values(prices))
      if (typeof price === 'string') expect(price).toMatch(/^\d+(\.\d{1,12})?$/)
  }
}

describe('a charge equals what the data’s own library calculates', () => {
  const usages = [
    { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 500 },
    { input: 60_000, cacheRead: 40_000, cacheWrite: 10_000, output: 9_999 },
    { input: 250_001, cacheRead: 50_000, cacheWrite: 1, output: 1 },
    { input: 900_000, cacheRead: 0, cacheWrite: 0, output: 100 },
  ]
  const times = [
    '2025-06-09',
    '2026-08-16',
    '2026-11-21T02:00:00Z',
    '2026-11-21T12:00:00Z',
    '2027-01-02',
  ].map((text) => new Date(text))
  test.each(offering.map((vendor) => [vendor.name, vendor] as const))('%s', (_name, vendor) => {
    let compared = 0
    for (const model of modelsOf(vendor)) {
      if (model.ownPrices === true || model.ignored !== undefined || model.prices.length === 0) continue
      for (const timestamp of times) {
        const table = compilePricing(pricingAt(model.prices, timestamp.getTime())!, '1')
        for (const { input, cacheRead, cacheWrite, output } of usages) {
          const theirs = calculated(vendor, model, { input, cacheRead, cacheWrite, output }, timestamp)
          const usage = {
            inputTokens: input - cacheRead - cacheWrite,
            cacheReadTokens: cacheRead,
            cacheWriteTokens: cacheWrite,
            outputTokens: output,
          }
          expect(Number(formatUsd(rate(usage, table))), `${model.id} ${timestamp.toISOString()}`).toBeCloseTo(
            theirs,
            9,
          )
          compared++
        }
      }
    }
    const ownOnly = modelsOf(vendor).every((model) => model.ownPrices === true)
    expect(compared > 0).toBe(!ownOnly)
  })
})

function calculated(
  vendor: Vendor,
  model: VendorModel,
  usage: { input: number; cacheRead: number; cacheWrite: number; output: number },
  timestamp: Date,
): number {
  const asked = model.pricedAs ?? model.id
  const colon = asked.lastIndexOf(':')
  const served = vendor.pricedByServer !== undefined
  const providers = served ? [`${vendor.pricedByServer}${asked.slice(colon + 1)}`] : vendor.pricedBy
  for (const providerId of providers) {
    const price = calcPrice(
      {
        input_tokens: usage.input,
        cache_read_tokens: usage.cacheRead,
        cache_write_tokens: usage.cacheWrite,
        output_tokens: usage.output,
      },
      served ? asked.slice(0, colon) : asked,
      { providerId, timestamp },
    )
    if (price !== null) return price.total_price
  }
  throw new Error(`${vendor.name}/${model.id} is not in the data`)
}

describe('names of models', () => {
  const catalog = new Catalog(
    ['openai', 'anthropic', 'mistral', 'azure', 'openrouter'].flatMap((name) =>
      (readVendorData(name)?.models ?? []).map((model) => catalogModel(model, name, name, nowMs)),
    ),
  )
  test.each([
    ['openai/gpt-4o-2024-08-06', 'openai/gpt-4o', 'gpt-4o-2024-08-06'],
    ['openai/gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['openai/gpt-5.6-sol-2026-07-09', 'openai/gpt-5.6-sol', 'gpt-5.6-sol-2026-07-09'],
    ['openai/gpt-5-4', 'openai/gpt-5.4', 'gpt-5.4'],
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-opus-4-20250514', 'anthropic/claude-opus-4-0', 'claude-opus-4-20250514'],
    ['claude-opus-5', 'anthropic/claude-opus-5', 'claude-opus-5'],
    ['mistral/mistral-medium-3.5', 'mistral/mistral-medium-3-5', 'mistral-medium-3-5'],
    ['azure/gpt-4o-2024-11-20', 'azure/gpt-4o', 'gpt-4o-2024-11-20'],
    ['openrouter/openai/gpt-4o', 'openrouter/openai/gpt-4o', 'openai/gpt-4o'],
  ])('%s is %s, called %s at the vendor', (name, id, asked) => {
    const model = catalog.resolve(name)
    expect(model.id).toBe(id)
    expect(model.upstreams).toMatchObject([{ provider: id.slice(0, id.indexOf('/')), model: asked }])
  })

  test.each([
    'gpt-4o',
    'openai/gpt-5-mini-codex',
    'openai/gpt-4o-2031-01-01',
    'anthropic/claude-opus-4-5-2025',
    'anthropic/claude-opus',
  ])('%s is not a model', (name) => {
    expect(() => catalog.resolve(name)).toThrow('does not exist')
  })
})
