import type { BlockEnd, ReasoningBlock, ReasoningHead } from '@turnpike/protocol'
import { thoughtFormat } from '../thought-format.ts'

/** Prefix of a wrapped signature of another vendor: nine bytes, so that their base64 has no remainder. */
const mark = 'turnpike.'
/**
 * The prefix in base64. Signatures are bytes, and clients in languages other than JavaScript decode them and
 * encode them again, some with the URL-safe alphabet.
 */
const prefix = Buffer.from(mark).toString('base64')

/** What another vendor must get back of one reasoning block, including its text. */
type Proof = Pick<ReasoningBlock, 'format' | 'id' | 'signature' | 'encrypted'> & { text: string }

/** A complete reasoning block, with its proof. */
export interface ProvenThought {
  head: ReasoningHead | undefined
  end: Pick<BlockEnd, 'signature' | 'encrypted'>
  text: string
}

/**
 * Writes the proofs of these thoughts as the single `thoughtSignature` of the part that follows them.
 * Google's own is unchanged. Other vendors' include the text, since clients do not send thoughts back. `''`
 * if there are no proofs.
 */
export function formatProofs(thoughts: readonly ProvenThought[]): string {
  const proofs: Proof[] = []
  let own = ''
  for (const { head, end, text } of thoughts) {
    const { signature, encrypted } = end
    const plain = encrypted ?? signature
    if (plain === undefined && head?.id === undefined) continue
    if (head?.format === thoughtFormat) own = plain ?? own
    else
      proofs.push({
        ...head,
        ...(signature === undefined ? {} : { signature }),
        ...(encrypted === undefined ? {} : { encrypted }),
        text,
      })
  }
  if (proofs.length === 0) return own
  return Buffer.from(mark + JSON.stringify(proofs)).toString('base64')
}

/** Whether `formatProofs` wrapped it, so that Google did not sign it. */
export function isForeignProof(text: string): boolean {
  return text.startsWith(prefix)
}

/** The thoughts in a signature, or the thought that it belongs to. An unreadable one proves nothing. */
export function parseProofs(signature: string): ReasoningBlock[] {
  if (!isForeignProof(signature))
    return [{ kind: 'reasoning', text: '', format: thoughtFormat, encrypted: signature }]
  const proofs = parseList(Buffer.from(signature.slice(prefix.length), 'base64').toString('utf8'))
  return proofs.flatMap((proof) => {
    if (typeof proof !== 'object' || proof === null) return []
    const members = proof as Record<string, unknown>
    const block: ReasoningBlock = {
      kind: 'reasoning',
      text: typeof members['text'] === 'string' ? members['text'] : '',
    }
    for (const name of ['format', 'id', 'signature', 'encrypted'] as const) {
      const value = members[name]
      if (typeof value === 'string') block[name] = value
    }
    return [block]
  })
}

function parseList(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? (value as unknown[]) : []
  } catch {
    // Cut or invented: the turn is read as if it had no signature.
    return []
  }
}
