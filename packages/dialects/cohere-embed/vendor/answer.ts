import { unusable, type Embeddings } from '../../embeddings/answer.ts'
import { parseAnswer, vectorOf } from '../../embeddings/number-lists.ts'
import { isObject } from '../../json/object.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes `{"embeddings": {"float": [[0.016, …]]}, "meta": {"billed_units": {…}}}`, in the order of the
 * texts.
 * @throws {GatewayError} the error that the body holds; 502 if it is not an answer
 */
export function decode(body: Buffer): Embeddings {
  const { embeddings, meta } = parseAnswer(body, 'embeddings')
  const lists = isObject(embeddings) ? embeddings['float'] : undefined
  if (!Array.isArray(lists)) throw unusable('there is no list of them')
  return { vectors: lists.map(vectorOf), usage: parseUsage(meta) }
}
