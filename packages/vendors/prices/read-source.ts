import type {
  SourceMatch,
  SourceModel,
  SourcePeriod,
  SourcePrices,
  SourceProvider,
  SourceTiers,
} from './price-source.ts'

/** An invalid price file; the message says where. */
export class PriceFileError extends Error {
  override readonly name = 'PriceFileError'
}

/**
 * Reads a price file. Validates every part that is used, and ignores the rest.
 * @throws {PriceFileError} naming the place, as in `[3].models[0].prices.input_mtok`
 */
export function readPriceSource(content: unknown): SourceProvider[] {
  return list(content, '').map((value, index) => {
    const provider = section(value, `[${index}]`)
    const at = `[${index}].models`
    return {
      id: text(provider['id'], `[${index}].id`),
      models: list(provider['models'], at).map((model, position) => readModel(model, `${at}[${position}]`)),
    }
  })
}

function readModel(value: unknown, at: string): SourceModel {
  const model = section(value, at)
  const { name, context_window: context, deprecated } = model
  return {
    id: text(model['id'], `${at}.id`),
    match: readMatch(model['match'], `${at}.match`),
    prices: readPrices(model['prices'], `${at}.prices`),
    ...(typeof name === 'string' && { name }),
    ...(typeof context === 'number' && { context_window: context }),
    ...(typeof deprecated === 'boolean' && { deprecated }),
  }
}

const clauses = ['equals', 'starts_with', 'ends_with', 'contains', 'regex'] as const

function readMatch(value: unknown, at: string): SourceMatch {
  const match = section(value, at)
  for (const kind of ['or', 'and'] as const) {
    if (match[kind] === undefined) continue
    const parts = list(match[kind], `${at}.${kind}`)
    const read = parts.map((part, index) => readMatch(part, `${at}.${kind}[${index}]`))
    return kind === 'or' ? { or: read } : { and: read }
  }
  const kind = clauses.find((one) => match[one] !== undefined)
  if (kind === undefined) throw new PriceFileError(`${at}: expected one of or, and, ${clauses.join(', ')}`)
  const pattern = text(match[kind], `${at}.${kind}`)
  if (kind === 'regex') checkPattern(pattern, `${at}.regex`)
  return { [kind]: pattern } as SourceMatch
}

function checkPattern(pattern: string, at: string): void {
  try {
    RegExp(pattern, 'u')
  } catch (error) {
    throw new PriceFileError(`${at}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readPrices(value: unknown, at: string): SourcePrices | SourcePeriod[] {
  if (!Array.isArray(value)) return readPriceNames(value, at)
  return value.map((period, index) => readPeriod(period, `${at}[${index}]`))
}

function readPeriod(value: unknown, at: string): SourcePeriod {
  const period = section(value, at)
  const prices = readPriceNames(period['prices'], `${at}.prices`)
  if (period['constraint'] === undefined) return { prices }
  const constraint = section(period['constraint'], `${at}.constraint`)
  const { start_date: date, start_time: start, end_time: end } = constraint
  if (typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))) {
    return { constraint: { start_date: date }, prices }
  }
  if (isTimeOfDay(start) && isTimeOfDay(end)) {
    return { constraint: { start_time: start, end_time: end }, prices }
  }
  throw new PriceFileError(`${at}.constraint: expected start_date, or start_time and end_time in UTC`)
}

/** UTC only: a time in another zone would be an hour off for half of the year. */
function isTimeOfDay(value: unknown): value is string {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|\+00:00)$/.test(value)
}

function readPriceNames(value: unknown, at: string): SourcePrices {
  const prices: SourcePrices = {}
  for (const [name, price] of Object.entries(section(value, at))) {
    if (price === null || price === undefined) continue
    prices[name] =
      typeof price === 'object' ? readTiers(price, `${at}.${name}`) : amount(price, `${at}.${name}`)
  }
  return prices
}

function readTiers(value: unknown, at: string): SourceTiers {
  const tiered = section(value, at)
  const tiers = list(tiered['tiers'], `${at}.tiers`).map((tier, index) => {
    const place = `${at}.tiers[${index}]`
    const { start, price } = section(tier, place)
    if (typeof start !== 'number' || !Number.isSafeInteger(start) || start < 0)
      throw new PriceFileError(`${place}.start: expected a number of tokens`)
    return { start, price: amount(price, `${place}.price`) }
  })
  return { base: amount(tiered['base'], `${at}.base`), tiers }
}

function section(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PriceFileError(`${at}: expected an object`)
  return value as Record<string, unknown>
}

function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new PriceFileError(`${at === '' ? 'the file' : at}: expected a list`)
  return value
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '') throw new PriceFileError(`${at}: expected a text`)
  return value
}

function amount(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new PriceFileError(`${at}: expected a price in USD`)
  return value
}
