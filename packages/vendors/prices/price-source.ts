/**
 * The parts that we read of genai-prices' data format (https://github.com/pydantic/genai-prices,
 * prices/new_data/v2). An operator can refresh prices with a file in this format (docs/vendors.md).
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

/** By name, such as `input_mtok`: USD per million tokens; `_kcount`: USD per thousand. */
export type SourcePrices = Record<string, number | SourceTiers>

/** `price` applies to the whole request if its input has more tokens than `start`. */
export interface SourceTiers {
  base: number
  tiers: { start: number; price: number }[]
}

/** The last period whose constraint is met applies, otherwise the first. */
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

/** The model of a name: the first that matches, as the data's own library looks it up. */
export function findSourceModel(
  source: readonly SourceProvider[],
  providerId: string,
  name: string,
): SourceModel | undefined {
  return source.find(({ id }) => id === providerId)?.models.find((model) => matches(model.match, name))
}
