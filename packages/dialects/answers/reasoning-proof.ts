import type { BlockEnd, ReasoningBlock, ReasoningHead } from '@turnpike/protocol'

/** How a wrapped proof begins; vendors' own are base64, without a dot. */
const prefix = 'turnpike.'

type Proof = Pick<ReasoningBlock, 'format' | 'id' | 'signature' | 'encrypted'>

/**
 * What proves a block of reasoning, in the one text that a caller's format has for it: a proof of that format
 * as it is, another vendor's with the name of its format in it, so that it goes back to that vendor alone.
 * @param ownFormat as in `ReasoningHead`
 */
export function formatProof(
  head: ReasoningHead | undefined,
  { signature, encrypted }: Pick<BlockEnd, 'signature' | 'encrypted'>,
  ownFormat: string,
): string {
  const plain = encrypted ?? signature
  if (plain === undefined && head?.id === undefined) return ''
  if (head?.format === ownFormat && plain !== undefined) return plain
  const proof: Proof = { ...head, ...(signature === undefined ? {} : { signature }) }
  if (encrypted !== undefined) proof.encrypted = encrypted
  return prefix + Buffer.from(JSON.stringify(proof)).toString('base64url')
}

/** A proof of nothing, for callers that send reasoning back only where it has one. */
export const emptyProof = `${prefix}${Buffer.from('{}').toString('base64url')}`

/** Whether `formatProof` wrapped it: it is another vendor's. */
export function isForeignProof(text: string): boolean {
  return text.startsWith(prefix)
}

/** A proof that `formatProof` wrapped; undefined: it is the format's own, or nobody's. */
export function parseProof(text: string): Proof | undefined {
  if (!isForeignProof(text)) return undefined
  const proof = parseObject(Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8'))
  if (proof === undefined) return undefined
  const parsed: Proof = {}
  for (const name of ['format', 'id', 'signature', 'encrypted'] as const) {
    const value = proof[name]
    if (typeof value === 'string') parsed[name] = value
  }
  return parsed
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Somebody else's text that begins as ours do: it proves nothing.
    return undefined
  }
}
