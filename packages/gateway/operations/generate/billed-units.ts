import type { ContentBlock, InputBucket, ModelRequest, Tool } from '@turnpike/protocol'

/** The input buckets besides text that may price a request. */
export function findBilledUnits(request: ModelRequest): InputBucket[] {
  const buckets: InputBucket[] = []
  for (const message of request.messages) {
    for (const block of message.content) {
      if (block.kind === 'audio') addOnce(buckets, 'inputAudioTokens')
      else if (block.kind === 'image') addOnce(buckets, 'inputImageTokens')
      if (isCachedLong(block)) addOnce(buckets, 'cacheWrite1hTokens')
    }
  }
  if (request.tools.some(isCachedLong) || tellsLong(request.extensions))
    addOnce(buckets, 'cacheWrite1hTokens')
  return buckets
}

function addOnce(buckets: InputBucket[], bucket: InputBucket): void {
  if (!buckets.includes(bucket)) buckets.push(bucket)
}

/** Whether a block or tool is cached for an hour, which costs more than the usual five minutes. */
export function isCachedLong(one: ContentBlock | Tool): boolean {
  if (one.kind === 'raw') return tellsLong(one.value) || holdsLong(memberOf(one.value, 'content'))
  return 'cache' in one && one.cache?.lifetime === '1h'
}

/** Blocks within a block, such as a search result's, may also be marked. */
function holdsLong(content: unknown): boolean {
  if (!Array.isArray(content)) return tellsLong(content)
  for (const one of content) if (tellsLong(one) || holdsLong(memberOf(one, 'content'))) return true
  return false
}

/** The same for content that the gateway does not model, by Anthropic's field. */
export function tellsLong(value: unknown): boolean {
  return memberOf(memberOf(value, 'cache_control'), 'ttl') === '1h'
}

export function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
}
