import type { EmbedRequest, Usage } from '@turnpike/protocol'
import { unusable, type Embeddings, type Vector } from '../../embeddings/answer.ts'
import { parseJson } from '../../json/parse-json.ts'
import { readList, type EmbeddingList } from '../embedding-list.ts'
import { errorInAnswer } from './errors.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes a whole answer; its vectors stay as the vendor wrote them.
 * @throws {GatewayError} the error that the body holds; 502 if it is not a list of vectors in a known order
 */
export function decode(body: Buffer, request: EmbedRequest): Embeddings {
  return embeddingsIn(readList(body), body, request)
}

/** The same for an answer that was already walked. */
export function embeddingsIn(
  list: EmbeddingList,
  body: Buffer,
  { inputs }: Pick<EmbedRequest, 'inputs'>,
): Embeddings {
  const error = errorInAnswer(list, body)
  if (error !== undefined) throw error
  return { vectors: inOrder(list, inputs.length), usage: usageOf(list, body) }
}

/** Vendors may send them in any order; each has the index of its input. */
function inOrder({ entries }: EmbeddingList, inputs: number): Vector[] {
  if (entries === undefined) throw unusable('there is no list of them')
  const isPlaced = entries.every(({ index }) => index !== undefined)
  if (!isPlaced && entries.some(({ index }) => index !== undefined))
    throw unusable('only some of them name their input')
  if (!isPlaced || entries.every(({ index }, place) => index === place))
    return entries.map(({ vector }) => vector)
  const vectors: (Vector | undefined)[] = Array.from({ length: entries.length })
  for (const { index, vector } of entries) {
    if (index! >= Math.min(inputs, entries.length) || vectors[index!] !== undefined)
      throw unusable('they do not name their inputs')
    vectors[index!] = vector
  }
  return vectors.filter((vector) => vector !== undefined)
}

function usageOf({ members }: EmbeddingList, body: Buffer): Usage | undefined {
  const usage = members.get('usage')
  return usage === undefined
    ? undefined
    : parseUsage(parseJson(body.toString('utf8', usage.start, usage.end)))
}
