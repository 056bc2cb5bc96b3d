import type { ModerateRequest } from '@turnpike/protocol'
import { moderationIn, type Moderation } from '../../moderations/answer.ts'
import { parseUsage } from './usage.ts'

/**
 * Decodes `{"id", "model", "results": [{"flagged", "categories", "category_scores"}]}`.
 * @throws {GatewayError} the error that the body holds; 502 if it does not moderate every input
 */
export function decode(body: Buffer, request: ModerateRequest): Moderation {
  const moderation = moderationIn(body, request)
  return { ...moderation, usage: parseUsage(moderation.raw['usage']) }
}
