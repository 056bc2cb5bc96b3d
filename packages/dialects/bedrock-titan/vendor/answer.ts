import { unusable, type Embeddings } from '../../embeddings/answer.ts'
import { parseAnswer, vectorOf } from '../../embeddings/number-lists.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes `{"embedding": [0.016, …], "inputTextTokenCount": 12}`.
 * @throws {GatewayError} the error that the body holds; 502 if it is not an answer
 */
export function decode(body: Buffer): Embeddings {
  const { embedding, ...beside } = parseAnswer(body, 'embedding')
  if (embedding === undefined) throw unusable('there is none')
  return { vectors: [vectorOf(embedding)], usage: parseUsage(beside) }
}
