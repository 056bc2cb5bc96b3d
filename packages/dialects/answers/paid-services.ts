import type { Usage } from '@turnpike/protocol'
import { tokenCount } from './token-count.ts'

/** No answer needs this many searches. A higher count is not believed and is marked instead. */
const mostSearches = 1_000

export function setSearches(usage: Usage, count: unknown): void {
  const searches = tokenCount(count)
  if (searches === undefined) return
  if (searches <= mostSearches) usage.webSearches = searches
  else markUnpriced(usage, 'web_search')
}

/** Marks a service that the vendor bills and our prices do not cover, under the name that operators read. */
export function markUnpriced(usage: Usage, service: string): void {
  usage.unpriced = [...(usage.unpriced ?? []), service]
}

export function markUnpricedCount(usage: Usage, service: string, count: unknown): void {
  if ((tokenCount(count) ?? 0) > 0) markUnpriced(usage, service)
}

/** Longer values are not tier names. */
const maxTierCharacters = 64

export function tierNamed(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxTierCharacters ? value : undefined
}

export function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
}
