import { invalidRequest, type ReasoningBlock, type ReasoningHead } from '@turnpike/protocol'

/**
 * Reasoning that its vendor signed or encrypted, in the form of OpenRouter
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens). It comes with an answer and is sent back with the
 * next request.
 */
export interface ReasoningDetail {
  type: string
  text?: string | null
  summary?: string | null
  data?: string | null
  signature?: string | null
  format?: string | null
  id?: string | null
  /** Index among the answer's details. In other gateways' streams, the pieces of one detail share it. */
  index?: number | null
}

/** A complete reasoning block of an answer. */
export interface EndedReasoning {
  text: string
  reasoning?: ReasoningHead
  signature?: string
  encrypted?: string
}

/** What a block has besides its text; empty if there is nothing. `index` is the first detail's. */
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
 * Assembles the blocks that these details describe, joining the pieces of each.
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
      // A type newer than this code, of an unknown vendor format.
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
