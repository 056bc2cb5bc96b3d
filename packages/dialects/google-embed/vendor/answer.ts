import { unusable, type Embeddings } from '../../embeddings/answer.ts'
import { parseAnswer, vectorOf } from '../../embeddings/number-lists.ts'
import { isObject } from '../../json/object.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes `{"embeddings": [{"values": [0.013, …]}]}`, in the order of the requests.
 * @throws {GatewayError} the error that the body holds; 502 if it is not an answer
 */
export function decode(body: Buffer): Embeddings {
  const { embeddings, usageMetadata } = parseAnswer(body, 'embeddings')
  if (!Array.isArray(embeddings)) throw unusable('there is no list of them')
  const vectors = embeddings.map((one: unknown) => vectorOf(isObject(one) ? one['values'] : undefined))
  return { vectors, usage: parseUsage(usageMetadata) }
}
