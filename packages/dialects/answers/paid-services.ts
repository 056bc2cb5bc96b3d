import type { Usage } from '@turnpike/protocol'
import { tokenCount } from './token-count.ts'

/** Nobody searches so often for one answer: a count beyond it is not believed, and marked instead. */
const mostSearches = 1_000

export function setSearches(usage: Usage, count: unknown): void {
  const searches = tokenCount(count)
  if (searches === undefined) return
  if (searches <= mostSearches) usage.webSearches = searches
  else markUnpriced(usage, 'web_search')
}

/** What the vendor bills and no price of ours knows, under the name that operators read. */
export function markUnpriced(usage: Usage, service: string): void {
  usage.unpriced = [...(usage.unpriced ?? []), service]
}

export function markUnpricedCount(usage: Usage, service: string, count: unknown): void {
  if ((tokenCount(count) ?? 0) > 0) markUnpriced(usage, service)
}

/** Words for a tier are short; a longer one is none. */
const maxTierCharacters = 64

export function tierNamed(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxTierCharacters ? value : undefined
}

export function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
}
