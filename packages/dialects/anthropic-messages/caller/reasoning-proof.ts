import type { BlockEnd, ReasoningBlock, ReasoningHead } from '@turnpike/protocol'
import { reasoningFormat } from '../reasoning-format.ts'

/** How a proof of another vendor's begins; Anthropic's own hold no dot. */
const prefix = 'turnpike.'

type Proof = Pick<ReasoningBlock, 'format' | 'id' | 'signature' | 'encrypted'>

/**
 * What proves a block of reasoning, in the one text that Anthropic's format has for it: Anthropic's own as it
 * is, another vendor's with the name of its format in it, so that it goes back to that vendor alone.
 */
export function formatProof(
  head: ReasoningHead | undefined,
  { signature, encrypted }: Pick<BlockEnd, 'signature' | 'encrypted'>,
): string {
  const plain = encrypted ?? signature
  if (plain === undefined && head?.id === undefined) return ''
  if (head?.format === reasoningFormat && plain !== undefined) return plain
  const proof: Proof = { ...head, ...(signature === undefined ? {} : { signature }) }
  if (encrypted !== undefined) proof.encrypted = encrypted
  return prefix + Buffer.from(JSON.stringify(proof)).toString('base64url')
}

/** Whether `formatProof` wrapped it: Anthropic did not sign it. */
export function isForeignProof(text: string): boolean {
  return text.startsWith(prefix)
}

/** A proof that `formatProof` wrapped; undefined: it is Anthropic's own, or nobody's. */
export function parseProof(text: string): Proof | undefined {
  if (!isForeignProof(text)) return undefined
  const proof = parsedObject(Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8'))
  if (proof === undefined) return undefined
  const parsed: Proof = {}
  for (const name of ['format', 'id', 'signature', 'encrypted'] as const) {
    const value = proof[name]
    if (typeof value === 'string') parsed[name] = value
  }
  return parsed
}

function parsedObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Somebody else's text that begins as ours do: it proves nothing.
    return undefined
  }
}
