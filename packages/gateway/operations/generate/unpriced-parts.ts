import { Positions } from '@turnpike/dialects'
import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import type { PaidRules } from '../paid-rules.ts'
import { isCachedLong, memberOf } from './billed-units.ts'

/**
 * Finds parts that cost extra: documents parsed by another service, audio billed as text, one-hour caches.
 */
export function findUnpricedPart(
  { messages, tools }: ModelRequest,
  { model, prices }: Candidate,
  { file, audio, cacheControl }: PaidRules,
): string | undefined {
  if (file === undefined && audio === undefined && cacheControl === undefined) return undefined
  const hearsUnpriced = audio !== undefined && prices.pricing.audio === undefined
  const readsFiles = file === undefined || model.modalities.input.includes('file')
  for (let index = 0; index < messages.length; index++) {
    const positions = new Positions(`messages[${index}]`)
    for (const block of messages[index]!.content) {
      const at = positions.of(block)
      if (!readsFiles && isFile(block)) return `${at}.file`
      if (hearsUnpriced && block.kind === 'audio') return `${at}.input_audio`
      if (cacheControl !== undefined && isCachedLong(block)) return `${at}.cache_control`
    }
  }
  if (cacheControl === undefined) return undefined
  const tool = tools.findIndex(isCachedLong)
  return tool === -1 ? undefined : `tools[${tool}].cache_control`
}

function isFile(block: ContentBlock): boolean {
  return block.kind === 'document' || (block.kind === 'raw' && memberOf(block.value, 'type') === 'file')
}
