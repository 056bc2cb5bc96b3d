import { vendorFormats } from '@turnpike/dialects'
import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import type { Candidate } from '../../candidates/candidate.ts'
import { memberOf } from './billed-units.ts'

/**
 * The input tokens that content known only to the vendor may add. A document or recording that the vendor
 * stores, or fetches from its address, may fill the model's whole context (an hour of video is a million
 * tokens). 0 if there is none. Media that the gateway fetches are measured before the vendor is called.
 */
export function mostOfUnknownMedia(request: ModelRequest, candidates: readonly Candidate[]): number {
  let most = 0
  for (const { content } of request.messages) {
    for (const block of content) {
      if (!mayBeLong(block)) continue
      for (const candidate of candidates)
        if (candidate.model.contextLength > most && isUnknown(block, candidate))
          most = candidate.model.contextLength
    }
  }
  return most
}

type LongBlock = Extract<ContentBlock, { kind: 'document' | 'audio' | 'raw' }>

function mayBeLong(block: ContentBlock): block is LongBlock {
  if (block.kind === 'raw') return isFilmElsewhere(block.value)
  return (block.kind === 'document' || block.kind === 'audio') && block.source.type !== 'base64'
}

function isUnknown(block: LongBlock, { provider }: Candidate): boolean {
  if (block.kind === 'raw') return true
  const { kind, source } = block
  return (
    source.type === 'file' ||
    (source.type === 'url' && vendorFormats[provider.format].readsAddress(kind, source.url))
  )
}

/** Parts that only some vendors support: `{"type": "video_url", "video_url": {"url": "https://…"}}`. */
const recording = /video|audio/i
const address = /^\s*[a-z][a-z0-9+.-]*:\/\//i

function isFilmElsewhere(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const type = memberOf(value, 'type')
  const isNamed = typeof type === 'string' && recording.test(type)
  return Object.entries(value).some(
    ([name, content]) => (isNamed || recording.test(name)) && holdsAddress(content),
  )
}

/** Checks a string, the entries of a list, or the members of an object. */
function holdsAddress(content: unknown): boolean {
  if (typeof content === 'string') return address.test(content)
  if (typeof content !== 'object' || content === null) return false
  return Object.values(content).some((one) => typeof one === 'string' && address.test(one))
}
