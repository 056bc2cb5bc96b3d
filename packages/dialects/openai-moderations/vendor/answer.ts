import type { ModerateRequest } from '@turnpike/protocol'
import { moderationIn, type Moderation } from '../../moderations/answer.ts'
import { parseUsage } from './usage.ts'

/**
 * `{"id", "model", "results": [{"flagged", "categories", "category_scores"}]}`
 * @throws {GatewayError} the error that it holds; 502 where it is no moderation of all inputs
 */
export function decode(body: Buffer, request: ModerateRequest): Moderation {
  const moderation = moderationIn(body, request)
  return { ...moderation, usage: parseUsage(moderation.raw['usage']) }
}
