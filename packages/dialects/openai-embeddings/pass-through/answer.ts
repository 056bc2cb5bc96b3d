import type { EmbedRequest } from '@turnpike/protocol'
import type { BridgeHead } from '../../bridge.ts'
import type { EmbedAnswer } from '../../caller.ts'
import type { Embeddings } from '../../embeddings/answer.ts'
import type { Span } from '../../json/cursor.ts'
import { isWithheld } from '../../answers/withheld-members.ts'
import { patchUsage } from '../../answers/patch-usage.ts'
import { parseJson } from '../../json/parse-json.ts'
import { formatPricedUsage } from '../caller/usage.ts'
import { embeddingsIn } from '../vendor/answer.ts'
import { readList, type EmbeddingList } from '../embedding-list.ts'

/**
 * Reads a whole answer. It passes byte for byte, with our model and usage, unless it must be rewritten:
 * because its vectors are in another order than the inputs, or in another encoding than their caller reads,
 * or because it contains the operator's business data.
 */
export function readAnswer(
  body: Buffer,
  head: BridgeHead,
  request: EmbedRequest,
): { embeddings: Embeddings; answer: EmbedAnswer | undefined } {
  const list = readList(body)
  const embeddings = embeddingsIn(list, body, request)
  const passes = isAsAsked(list, request) && isForCallers(list)
  return { embeddings, answer: passes ? createPatch(list, body, head) : undefined }
}

function createPatch(list: EmbeddingList, body: Buffer, head: BridgeHead): EmbedAnswer {
  const { members, end } = list
  const raw = members.get('usage')
  const reportedUsage = raw === undefined ? undefined : parseJson(body.toString('utf8', raw.start, raw.end))
  return (usage, cost) => {
    const changes: Change[] = []
    const added: string[] = []
    const putMember = (name: string, value: string): void => {
      const span = members.get(name)
      if (span === undefined) added.push(`,${JSON.stringify(name)}:${value}`)
      else changes.push({ span, value })
    }
    putMember('model', JSON.stringify(head.model))
    putMember('object', '"list"')
    if (usage !== undefined)
      putMember('usage', JSON.stringify(patchUsage(reportedUsage, usage, cost, formatPricedUsage)))
    return spliceChanges(body, changes, { before: end - 1, text: added.join('') }, end)
  }
}

function isAsAsked({ entries = [] }: EmbeddingList, { encoding }: EmbedRequest): boolean {
  return entries.every(({ index, vector }, place) => index === place && vector.encoding === encoding)
}

/** The vendor's usage does not pass. */
function isForCallers({ members }: EmbeddingList): boolean {
  for (const name of members.keys()) if (name !== 'usage' && isWithheld(name)) return false
  return true
}

interface Change {
  span: Span
  value: string
}

function spliceChanges(
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
