import { vendorFormats } from '@turnpike/dialects'
import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'

/**
 * What an input may come to of which a part is known to the vendor alone: a document or a recording that the
 * vendor has, or reads from its address itself, may fill its model's whole context (an hour of video is a
 * million tokens). 0 where there is none. What the gateway fetches is known before the vendor is called.
 */
export function mostOfUnknownMedia(request: ModelRequest, candidates: readonly Candidate[]): number {
  let most = 0
  for (const { content } of request.messages) {
    for (const block of content) {
      if (block.kind !== 'document' && block.kind !== 'audio') continue
      if (block.source.type === 'base64') continue
      for (const candidate of candidates)
        if (candidate.model.contextLength > most && isUnknown(block, candidate))
          most = candidate.model.contextLength
    }
  }
  return most
}

type MediaBlock = Extract<ContentBlock, { kind: 'document' | 'audio' }>

function isUnknown({ kind, source }: MediaBlock, { provider }: Candidate): boolean {
  return (
    source.type === 'file' ||
    (source.type === 'url' && vendorFormats[provider.format].readsAddress(kind, source.url))
  )
}
