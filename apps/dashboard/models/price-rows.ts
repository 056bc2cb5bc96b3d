import type { Schemas } from '../api/client.ts'
import { exactUsd, perMillion } from '../format/money.ts'
import { wholeNumber } from '../format/number.ts'
import { isAnswering } from './capabilities.ts'

type Model = Schemas['Model']
type Pricing = Schemas['Pricing']
type SinglePrices = Omit<Pricing, 'overrides' | 'service_tiers'>
export type PriceName = keyof SinglePrices

/** What each price is for. */
const priceLabels: Record<PriceName, string> = {
  prompt: 'Input',
  completion: 'Output',
  input_cache_read: 'Cached input',
  input_cache_write: 'Cache write',
  input_cache_write_1h: 'Cache write, for an hour',
  internal_reasoning: 'Reasoning',
  audio: 'Audio input',
  image: 'Image input',
  input_audio_cache: 'Cached audio input',
  audio_output: 'Audio output',
  image_output: 'Image output',
  web_search: 'Web search',
  grounded_prompt: 'Answer grounded in search',
  citation: 'Citation',
  search_unit: 'Search unit',
  request: 'Request',
}
const priceNames = Object.keys(priceLabels) as PriceName[]

/** Units of the prices that are not per token. */
const units: Partial<Record<PriceName, string>> = {
  web_search: 'a search',
  grounded_prompt: 'an answer',
  search_unit: 'a unit',
  request: 'a request',
}

export const tokenUnit = 'a million tokens'

export interface PriceRow {
  name: PriceName
  label: string
  unit: string
  /** One per column; `isOther` if it differs from the usual price. */
  prices: { text: string; isOther: boolean }[]
}

export interface PriceTable {
  /** `Usual`, `From 200,001 in`, `Tier priority`; empty if there is only the usual price. */
  columns: string[]
  rows: PriceRow[]
}

/** Every price of a model next to those of long prompts and of other service tiers. */
export function priceTable({ pricing, ...model }: Pick<Model, 'pricing' | 'operations'>): PriceTable {
  const { overrides = [], service_tiers: tiers = {}, ...usual } = pricing
  const long = overrides.toSorted((left, right) => left.min_prompt_tokens - right.min_prompt_tokens)
  const columns: { head: string; prices: SinglePrices }[] = [
    { head: 'Usual', prices: usual },
    ...long.map(({ min_prompt_tokens: from, ...prices }) => ({
      head: `From ${wholeNumber(from)} in`,
      prices: { ...usual, ...prices },
    })),
    ...Object.entries(tiers).map(([name, prices]) => ({
      head: `Tier ${name}`,
      prices: { ...usual, ...prices },
    })),
  ]
  const rows = priceNames
    .filter((name) => columns.some(({ prices }) => isCharged(prices[name], name, model)))
    .map((name) => ({
      name,
      label: priceLabels[name],
      unit: units[name] ?? tokenUnit,
      prices: columns.map(({ prices }) => ({
        text: priceText(prices[name], name),
        isOther: prices[name] !== usual[name],
      })),
    }))
  return { columns: columns.map(({ head }) => head), rows }
}

/**
 * Embeddings and rerankings have no charged output, and rerankings priced per search unit no charged input.
 */
function isCharged(price: string | undefined, name: PriceName, model: Pick<Model, 'operations'>): boolean {
  if (price === undefined) return false
  const isPlain = name === 'prompt' || name === 'completion'
  return !isPlain || isAnswering(model) || Number(price) > 0
}

function priceText(price: string | undefined, name: PriceName): string {
  if (price === undefined) return '–'
  return units[name] === undefined ? perMillion(price) : exactUsd(price)
}
