import { withoutWithheld } from '../../answers/withheld-members.ts'
import type { AnswerHead } from '../../bridge.ts'

/** Only OpenAI's own values are sent, since clients may check them. */
const serviceTiers: readonly unknown[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', null]

/** The values of an answer's `object` field. */
export type AnswerObject = 'chat.completion' | 'chat.completion.chunk' | 'text_completion'

/** The outermost fields of a chunk or whole answer. `others` are further fields from the upstream. */
export function answerHead(
  object: AnswerObject,
  { id, model, created }: AnswerHead,
  others: Record<string, unknown>,
): Record<string, unknown> {
  const { service_tier: tier, system_fingerprint: fingerprint } = others
  const visible = withoutWithheld(others)
  const head: Record<string, unknown> = { ...visible, id, object, created: Math.trunc(created), model }
  if (tier !== undefined && !serviceTiers.includes(tier)) delete head['service_tier']
  if (fingerprint !== undefined && typeof fingerprint !== 'string') delete head['system_fingerprint']
  return head
}
