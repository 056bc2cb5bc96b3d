/*
 * The format of the price data of genai-prices (https://github.com/pydantic/genai-prices,
 * prices/new_data/v2),
 * as far as it is read here. A file of an operator in this format refreshes prices (docs/vendors.md).
 */

export interface SourceProvider {
  id: string
  models: SourceModel[]
}

export interface SourceModel {
  id: string
  name?: string
  match: SourceMatch
  context_window?: number
  deprecated?: boolean
  prices: SourcePrices | SourcePeriod[]
}

export type SourceMatch =
  | { or: SourceMatch[] }
  | { and: SourceMatch[] }
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string }

/** By name, as `input_mtok`: USD a million tokens; `_kcount`: USD a thousand. */
export type SourcePrices = Record<string, number | SourceTiers>

/** `price` holds for the whole request once its input has more tokens than `start`. */
export interface SourceTiers {
  base: number
  tiers: { start: number; price: number }[]
}

/** Of several, the last one whose constraint holds is in force, else the first. */
export interface SourcePeriod {
  constraint?: { start_date?: string; start_time?: string; end_time?: string }
  prices: SourcePrices
}

export function matches(match: SourceMatch, name: string): boolean {
  if ('or' in match) return match.or.some((one) => matches(one, name))
  if ('and' in match) return match.and.every((one) => matches(one, name))
  const text = name.toLowerCase()
  if ('equals' in match) return text === match.equals.toLowerCase()
  if ('starts_with' in match) return text.startsWith(match.starts_with.toLowerCase())
  if ('ends_with' in match) return text.endsWith(match.ends_with.toLowerCase())
  if ('contains' in match) return text.includes(match.contains.toLowerCase())
  return new RegExp(match.regex, 'u').test(name)
}

/** The model of this name; the first that matches, as the makers of the data look it up. */
export function findSourceModel(
  source: readonly SourceProvider[],
  providerId: string,
  name: string,
): SourceModel | undefined {
  return source.find(({ id }) => id === providerId)?.models.find((model) => matches(model.match, name))
}
