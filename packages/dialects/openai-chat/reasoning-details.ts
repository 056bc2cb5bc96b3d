import { invalidRequest, type ReasoningBlock, type ReasoningHead } from '@turnpike/protocol'

/**
 * Reasoning that its vendor signed or encrypted, as OpenRouter's clients know it
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens): given with an answer, sent back with the next
 * request.
 */
export interface ReasoningDetail {
  type: string
  text?: string | null
  summary?: string | null
  data?: string | null
  signature?: string | null
  format?: string | null
  id?: string | null
  /** Position among the answer's details; in streams of others it is shared by the pieces of one detail. */
  index?: number | null
}

/** A reasoning block of an answer; `text` is the whole of it. */
export interface EndedReasoning {
  text: string
  reasoning?: ReasoningHead
  signature?: string
  encrypted?: string
}

/** What a block says beyond its text; none where the text is all. `index` is the first one's. */
export function formatReasoningDetails(block: EndedReasoning, index: number): ReasoningDetail[] {
  const { text, reasoning, signature, encrypted } = block
  const { format, id } = reasoning ?? {}
  const head = {
    ...(format === undefined ? {} : { format }),
    ...(id === undefined ? {} : { id }),
  }
  const details: ReasoningDetail[] = []
  if (signature !== undefined) details.push({ type: 'reasoning.text', text, signature, ...head, index })
  if (encrypted !== undefined) {
    details.push({ type: 'reasoning.encrypted', data: encrypted, ...head, index: index + details.length })
  }
  return details
}

/**
 * The blocks that these details tell of, pieces of one put together.
 * @throws {GatewayError} 400 for an encrypted one without its data
 */
export function parseReasoningDetails(details: readonly ReasoningDetail[], path: string): ReasoningBlock[] {
  const blocks: ReasoningBlock[] = []
  let before: ReasoningDetail | undefined
  for (let at = 0; at < details.length; at++) {
    const detail = details[at]!
    const block = parseReasoningDetail(detail, `${path}[${at}]`)
    if (before !== undefined && continues(detail, before)) join(blocks.at(-1)!, block)
    else blocks.push(block)
    before = detail
  }
  return blocks
}

function parseReasoningDetail(detail: ReasoningDetail, path: string): ReasoningBlock {
  const { signature, data, format, id } = detail
  const block: ReasoningBlock = { kind: 'reasoning', text: '' }
  if (typeof format === 'string') block.format = format
  if (typeof id === 'string') block.id = id
  switch (detail.type) {
    case 'reasoning.text':
      block.text = detail.text ?? ''
      if (typeof signature === 'string') block.signature = signature
      return block
    case 'reasoning.summary':
      block.text = detail.summary ?? ''
      return block
    case 'reasoning.encrypted':
      if (typeof data !== 'string')
        throw invalidRequest(`${path}.data`, `${path}.data: expected the encrypted reasoning as a string.`)
      block.encrypted = data
      return block
    default:
      // Of a kind that came after this was written: nobody's whose words we know.
      return { ...block, format: detail.type }
  }
}

function continues(detail: ReasoningDetail, before: ReasoningDetail): boolean {
  if (typeof detail.index !== 'number' || detail.index !== before.index) return false
  return detail.type === before.type && typeof before.signature !== 'string'
}

function join(block: ReasoningBlock, more: ReasoningBlock): void {
  const { text, encrypted } = block
  Object.assign(block, more)
  block.text = text + more.text
  if (encrypted !== undefined) block.encrypted = encrypted + (more.encrypted ?? '')
}
