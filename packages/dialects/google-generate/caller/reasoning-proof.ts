import type { BlockEnd, ReasoningBlock, ReasoningHead } from '@turnpike/protocol'
import { thoughtFormat } from '../thought-format.ts'

/** How the signature of another vendor's thoughts begins: nine bytes, so that their base64 ends there. */
const mark = 'turnpike.'
/**
 * The same as it is written: signatures are bytes, in base64, and clients in other languages than JavaScript
 * read them so, and write them again, some in the alphabet of URLs.
 */
const prefix = Buffer.from(mark).toString('base64')

/** What another vendor must get back of one block of its reasoning, the text included. */
type Proof = Pick<ReasoningBlock, 'format' | 'id' | 'signature' | 'encrypted'> & { text: string }

/** A block of reasoning that is over, with what proves it. */
export interface ProvenThought {
  head: ReasoningHead | undefined
  end: Pick<BlockEnd, 'signature' | 'encrypted'>
  text: string
}

/**
 * What proves these thoughts, as the one `thoughtSignature` of the part that follows them: Google's own as it
 * is, other vendors' with their text, since clients do not send thoughts back. `''` where nothing proves
 * them.
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

/** Whether `formatProofs` wrapped it: Google did not sign it. */
export function isForeignProof(text: string): boolean {
  return text.startsWith(prefix)
}

/** The thoughts that a signature holds, or is of. One that cannot be read proves nothing. */
export function parseProofs(signature: string): ReasoningBlock[] {
  if (!isForeignProof(signature))
    return [{ kind: 'reasoning', text: '', format: thoughtFormat, encrypted: signature }]
  const proofs = parseList(Buffer.from(signature.slice(prefix.length), 'base64').toString('utf8'))
  return proofs.flatMap((proof) => {
    if (typeof proof !== 'object' || proof === null) return []
    const said = proof as Record<string, unknown>
    const block: ReasoningBlock = {
      kind: 'reasoning',
      text: typeof said['text'] === 'string' ? said['text'] : '',
    }
    for (const name of ['format', 'id', 'signature', 'encrypted'] as const) {
      const value = said[name]
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
    // Cut, or made up: the turn is read as if it had no signature.
    return []
  }
}
