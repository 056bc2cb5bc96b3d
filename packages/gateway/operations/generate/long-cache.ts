import type { ContentBlock, Tool } from '@turnpike/protocol'

/** Whether a block or a tool is cached for an hour, which costs more than the usual five minutes. */
export function isCachedLong(one: ContentBlock | Tool): boolean {
  if (one.kind === 'raw') return tellsLong(one.value)
  return 'cache' in one && one.cache?.lifetime === '1h'
}

/** The same of what has no word of ours, by Anthropic's field. */
export function tellsLong(value: unknown): boolean {
  return memberOf(memberOf(value, 'cache_control'), 'ttl') === '1h'
}

export function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
}
