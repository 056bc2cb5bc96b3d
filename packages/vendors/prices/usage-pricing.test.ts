import { readFileSync } from 'node:fs'
import { findProvider } from '@pydantic/genai-prices'
import { compilePricing, rate } from '@turnpike/billing'
import { generateFormats, type GenerateFormatName } from '@turnpike/dialects'
import { fold, totalInputTokens, totalOutputTokens, type Pricing, type Usage } from '@turnpike/protocol'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'
import { afterAll, describe, expect, it } from 'vitest'
import { priceForOne } from './exact.ts'
import { periodsOf } from './periods.ts'
import { findSourceModel, type SourceModel } from './price-source.ts'
import { readPriceSource } from './read-source.ts'

/**
 * Vendors' usage objects, with the counts and costs that the price data's own library computed for each. Each
 * object is put into an answer of its format, decoded, and rated.
 */

interface Row {
  model?: string
  body: { file: string; model?: string; modelVersion?: string; usage?: Counts; usageMetadata?: Counts }
  extracted: { usage: Record<string, number>; extractors: Extractor[] }[]
}

type Counts = Record<string, unknown>

interface Extractor {
  provider_id: string
  api_flavor: string
  input_price?: string
  output_price?: string
}

const path = besideCheckout('usagePricing')
const lines = path === undefined ? [] : readFileSync(path, 'utf8').trim().split('\n')
function ownRow(model: string, usage: Counts, counted: Record<string, number>, extractor: Extractor): Row {
  return { model, body: { file: 'own', usage }, extracted: [{ usage: counted, extractors: [extractor] }] }
}

/** Computed by hand from the vendors' prices per million tokens. */
const ownRows: Row[] = [
  ownRow(
    'gpt-4o-mini',
    {
      prompt_tokens: 31,
      completion_tokens: 12,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
    { input_tokens: 31, cache_read_tokens: 8, output_tokens: 12, output_reasoning_tokens: 4 },
    { provider_id: 'openai', api_flavor: 'chat', input_price: '0.00000405', output_price: '0.0000072' },
  ),
  ownRow(
    'claude-haiku-4-5',
    { input_tokens: 40, cache_creation_input_tokens: 16, cache_read_input_tokens: 8, output_tokens: 21 },
    { input_tokens: 64, cache_read_tokens: 8, cache_write_tokens: 16, output_tokens: 21 },
    { provider_id: 'anthropic', api_flavor: 'default', input_price: '0.0000608', output_price: '0.000105' },
  ),
]
const rows = [...ownRows, ...lines.map((line) => JSON.parse(line) as Row)]

/** Why rows and prices are skipped, and how often. */
const leftOut = new Map<string, number>()
let countedRows = 0
let ratedPrices = 0

describe('vendors’ usage objects', () => {
  afterAll(() => {
    const reasons = [...leftOut].toSorted(([, one], [, other]) => other - one)
    const told = reasons.map(([reason, count]) => `  ${count} left out: ${reason}\n`)
    const counted = `${countedRows} of ${rows.length} rows counted alike, ${ratedPrices} prices alike`
    process.stdout.write(`usage-pricing: ${counted}\n${told.join('')}`)
  })

  it('have the same counts', () => {
    for (const row of rows) {
      const found = ownReading(row)
      if (typeof found === 'string') {
        leave(`row: ${found}`)
        continue
      }
      expect(readingOf(usageOf(row, found.format)), JSON.stringify(row.body)).toEqual(expectedOf(found.usage))
      countedRows++
    }
    expect(countedRows).toBeGreaterThanOrEqual(path === undefined ? ownRows.length : 950)
  })

  it('have the same costs', () => {
    for (const row of rows) {
      for (const { extractors } of row.extracted) {
        for (const extractor of extractors) ratePrice(row, extractor)
      }
    }
    expect(ratedPrices).toBeGreaterThanOrEqual(path === undefined ? ownRows.length : 1_600)
  })
})

function leave(reason: string): void {
  leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
}

/** The most detailed reading for this row's format: the others only read parts of it. */
function ownReading(row: Row): { format: GenerateFormatName; usage: Record<string, number> } | string {
  const format = formatOf(row)
  if (typeof format === 'string') return format
  const readings = row.extracted.filter(({ extractors }) =>
    extractors.some((one) => format.flavors.test(flavor(one))),
  )
  const [richest] = readings.toSorted(
    (one, other) => Object.keys(other.usage).length - Object.keys(one.usage).length,
  )
  return richest === undefined ? 'no reading for its format' : { format: format.name, usage: richest.usage }
}

function flavor({ provider_id: provider, api_flavor: api }: Extractor): string {
  return `${provider}:${api}`
}

/** The format of a row's object, and which readings apply to that format. */
function formatOf({ body }: Row): { name: GenerateFormatName; flavors: RegExp } | string {
  const { usage, usageMetadata } = body
  if (usageMetadata !== undefined) {
    if (!('candidatesTokenCount' in usageMetadata) && !('promptTokensDetails' in usageMetadata))
      return "Google's embeddings"
    return { name: 'google-generate', flavors: /^google:default$/ }
  }
  if (usage === undefined) return "Cohere's own API"
  if ('prompt_tokens' in usage) {
    if (!('completion_tokens' in usage)) return "OpenAI's embeddings"
    const flavors = /:chat$|^(groq|mistral|perplexity|x-ai):default$/
    return { name: chatFormatOf(body.file), flavors }
  }
  if ('inputTokens' in usage) return { name: 'bedrock-converse', flavors: /^aws:default$/ }
  if ('input_tokens_details' in usage || 'output_tokens_details' in usage) {
    if (!('cache_creation_input_tokens' in usage)) return { name: 'openai-responses', flavors: /:responses$/ }
  }
  if ('billed_units' in usage) return { name: 'cohere-chat', flavors: /^cohere:default$/ }
  if (!('input_tokens' in usage)) return "Cohere's own API"
  if (JSON.stringify(usage['iterations'] ?? []).includes('"compaction"'))
    return 'the data does not count what it takes to shorten a conversation'
  return { name: 'anthropic-messages', flavors: /^anthropic:default$|:anthropic$/ }
}

function chatFormatOf(file: string): GenerateFormatName {
  if (file.includes('mistral')) return 'mistral-chat'
  return file.includes('deepseek') ? 'deepseek-chat' : 'openai-chat'
}

/** The usage decoded from a whole answer that contains it. */
function usageOf({ body: { usage, usageMetadata } }: Row, format: GenerateFormatName): Usage {
  const text = { type: 'text', text: 'x' }
  const message = { role: 'assistant', content: 'x' }
  const answers: Partial<Record<GenerateFormatName, unknown>> = {
    'google-generate': {
      candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata,
    },
    'openai-responses': { id: 'r', status: 'completed', output: [], usage },
    'anthropic-messages': { type: 'message', id: 'm', content: [text], stop_reason: 'end_turn', usage },
    'bedrock-converse': { output: { message: { content: [{ text: 'x' }] } }, stopReason: 'end_turn', usage },
    'cohere-chat': { id: 'c', message: { content: [text] }, finish_reason: 'COMPLETE', usage },
  }
  const chat = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
  const { generate } = generateFormats[format].operations
  const { response, error } = fold(generate.decodeResponse(answers[format] ?? chat))
  if (error !== undefined) throw error
  return response.usage ?? {}
}

/** Our buckets converted to the price data's names, in which parts are included in their totals. */
function readingOf(usage: Usage): Record<string, number> {
  return {
    input_tokens: totalInputTokens(usage),
    cache_read_tokens: (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0),
    cache_write_tokens: (usage.cacheWriteTokens ?? 0) + (usage.cacheWrite1hTokens ?? 0),
    input_audio_tokens: usage.inputAudioTokens ?? 0,
    input_image_tokens: usage.inputImageTokens ?? 0,
    output_tokens: totalOutputTokens(usage),
    output_reasoning_tokens: usage.reasoningTokens ?? 0,
  }
}

function expectedOf(counted: Record<string, number>): Record<string, number> {
  const count = (name: string): number => counted[name] ?? 0
  return {
    input_tokens: count('input_tokens'),
    cache_read_tokens: count('cache_read_tokens'),
    cache_write_tokens: count('cache_write_tokens'),
    // Our audio and images exclude those read from a cache.
    input_audio_tokens: count('input_audio_tokens') - count('cache_audio_read_tokens'),
    input_image_tokens: count('input_image_tokens') - count('cache_image_read_tokens'),
    output_tokens: count('output_tokens'),
    output_reasoning_tokens: count('output_reasoning_tokens'),
  }
}

function ratePrice(row: Row, extractor: Extractor): void {
  const { input_price: input, output_price: output } = extractor
  if (input === undefined && output === undefined) return
  const format = formatOf(row)
  if (typeof format === 'string') return leave(`price: ${format}`)
  if (!format.flavors.test(flavor(extractor)))
    return leave(`price: read as ${extractor.api_flavor}, which it is not`)
  const model = row.model ?? row.body.modelVersion
  const source = model === undefined ? undefined : sourceModel(extractor.provider_id, model)
  if (source === undefined) return leave(`price: no model of the data at ${extractor.provider_id}`)
  const pricings = periodsOf(source).periods.map(({ pricing }) => pricing)
  if (pricings.length === 0) return leave(`price: none of both kinds at ${extractor.provider_id}`)
  const expected = picoUsd(input) + picoUsd(output)
  const costs = pricings.map((pricing) => costOf(usageOf(row, format.name), pricing))
  // Prices of several periods: the rows do not say when they were computed, so any one of them may match.
  if (!costs.includes(expected) && otherwiseSince.has(`${extractor.provider_id} ${model}`))
    return leave('price: corrected in the data since')
  expect(costs, `${flavor(extractor)} ${model} ${JSON.stringify(row.body)}`).toContain(expected)
  ratedPrices++
}

/** The rows were computed with an older version of the data than the installed one. */
const otherwiseSince = new Set([
  'mistral ministral-8b-latest',
  // Writes to its cache had no separate price.
  'azure gpt-5.6-sol',
  'openai gpt-5.6-sol',
])

function costOf(usage: Usage, pricing: Pricing): bigint {
  // The rows contain only input and output prices.
  return rate({ ...usage, webSearches: 0 }, compilePricing(pricing, '1'))
}

function picoUsd(price: string | undefined): bigint {
  const [whole = '0', fraction = ''] = priceForOne(Number(price ?? 0), 0).split('.')
  return BigInt(whole + fraction.padEnd(12, '0'))
}

const providers = new Map<string, ReturnType<typeof readPriceSource>>()

/** A cloud sells other makers' models at their prices, unless the data says otherwise. */
const soldAt: Record<string, string[]> = { azure: ['openai', 'anthropic'], google: ['anthropic'] }

function sourceModel(providerId: string, model: string): SourceModel | undefined {
  for (const id of [providerId, ...(soldAt[providerId] ?? [])]) {
    const found = findSourceModel(sourceOf(id), id, model)
    if (found !== undefined) return found
  }
  return undefined
}

function sourceOf(providerId: string): ReturnType<typeof readPriceSource> {
  let source = providers.get(providerId)
  if (source === undefined) {
    const provider = findProvider({ providerId })
    source = provider === undefined ? [] : readPriceSource([provider])
    providers.set(providerId, source)
  }
  return source
}
