import type { JsonObject } from '../../json/object.ts'

/** Prefix of what AWS adds to Anthropic's members: metrics, traces, what a guardrail did. */
export const platformMark = 'amazon-bedrock-'
const guardrailAction = 'amazon-bedrock-guardrailAction'

/** AWS's own stop reasons for what Anthropic calls `refusal`. */
const heldBack: ReadonlySet<unknown> = new Set(['guardrail_intervened', 'content_filtered'])

/**
 * An answer, or an event of one, without what AWS added. An answer that the operator's guardrail blocked
 * becomes a refusal in Anthropic's form, too: its body has `end_turn` for the replacement text.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-use-invoke-model-api.html
 */
export function withoutPlatform(body: JsonObject): JsonObject {
  const ownMembers = Object.entries(body).filter(([name]) => !name.startsWith(platformMark))
  const ownBody = ownMembers.length === Object.keys(body).length ? body : Object.fromEntries(ownMembers)
  const isHeldBack = hasIntervened(body) || heldBack.has(body['stop_reason'])
  return isHeldBack && 'stop_reason' in body ? { ...ownBody, stop_reason: 'refusal' } : ownBody
}

export function hasIntervened(body: JsonObject): boolean {
  return body[guardrailAction] === 'INTERVENED'
}

/** The event with the stop reason, for an answer that was blocked. */
export function asRefusal(event: JsonObject): JsonObject {
  return { ...event, delta: { ...(event['delta'] as JsonObject | undefined), stop_reason: 'refusal' } }
}
