import type { EmbedRequest } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { EmbedAnswer } from '../../caller.ts'
import type { Span } from '../../json/cursor.ts'
import { toldUsage } from '../../answers/told-usage.ts'
import { parsed } from '../../json/parsed.ts'
import { pricedUsage } from '../caller/usage.ts'
import { readList, type EmbeddingList } from '../embedding-list.ts'

/**
 * A whole answer with our model and usage in the place of the vendor's, byte for byte otherwise. Undefined
 * where it has to be said anew: its vectors are in another order than the inputs, or in another form than
 * their caller reads.
 */
export function patchEmbeddings(
  body: Buffer,
  head: BridgeHead,
  request: EmbedRequest,
): EmbedAnswer | undefined {
  const list = readList(body)
  if (!isAsAsked(list, request)) return undefined
  const { members, end } = list
  const raw = members.get('usage')
  const told = raw === undefined ? undefined : parsed(body.toString('utf8', raw.start, raw.end))
  return (usage, cost) => {
    const changes: Change[] = []
    const added: string[] = []
    const put = (name: string, value: string): void => {
      const span = members.get(name)
      if (span === undefined) added.push(`,${JSON.stringify(name)}:${value}`)
      else changes.push({ span, value })
    }
    put('model', JSON.stringify(head.model))
    put('object', '"list"')
    if (usage !== undefined) put('usage', JSON.stringify(toldUsage(told, usage, cost, pricedUsage)))
    return spliced(body, changes, { before: end - 1, text: added.join('') }, end)
  }
}

function isAsAsked({ entries = [] }: EmbeddingList, { encoding }: EmbedRequest): boolean {
  return entries.every(({ index, vector }, place) => index === place && vector.encoding === encoding)
}

interface Change {
  span: Span
  value: string
}

function spliced(
  body: Buffer,
  changes: readonly Change[],
  added: { before: number; text: string },
  end: number,
): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (const { span, value } of changes.toSorted((a, b) => a.span.start - b.span.start)) {
    pieces.push(body.subarray(from, span.start), Buffer.from(value))
    from = span.end
  }
  pieces.push(body.subarray(from, added.before), Buffer.from(added.text), body.subarray(added.before, end))
  return Buffer.concat(pieces)
}
