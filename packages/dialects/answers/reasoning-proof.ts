import type { BlockEnd, ReasoningBlock, ReasoningHead } from '@turnpike/protocol'

/** Prefix of a wrapped proof. Vendors' own proofs are base64 and contain no dot. */
const prefix = 'turnpike.'

type Proof = Pick<ReasoningBlock, 'format' | 'id' | 'signature' | 'encrypted'>

/**
 * Writes a reasoning proof into the single string that a caller's format has for it. The format's own proofs
 * are unchanged. Another vendor's is wrapped with its format's name, so that it goes back only to that
 * vendor.
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

/** An empty proof, for callers that send reasoning back only if it has a proof. */
export const emptyProof = `${prefix}${Buffer.from('{}').toString('base64url')}`

/** Whether `formatProof` wrapped it, so that it belongs to another vendor. */
export function isForeignProof(text: string): boolean {
  return text.startsWith(prefix)
}

/** Unwraps a proof from `formatProof`. Undefined if it is the format's own, or unknown. */
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
    // Text from elsewhere that happens to begin with our prefix proves nothing.
    return undefined
  }
}
