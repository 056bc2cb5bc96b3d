import type { JsonObject } from '../../json/object.ts'

/** What AWS puts beside Anthropic's members begins so: measures, traces, what a guardrail did. */
export const platformMark = 'amazon-bedrock-'
const guardrailAction = 'amazon-bedrock-guardrailAction'

/** AWS's own reasons for an end, where Anthropic's word is `refusal`. */
const heldBack: ReadonlySet<unknown> = new Set(['guardrail_intervened', 'content_filtered'])

/**
 * An answer, or an event of one, without what AWS put into it. One that a guardrail of the operator's held
 * back is a refusal, in Anthropic's words too: the body says `end_turn` of the text that stands in its place.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-use-invoke-model-api.html
 */
export function withoutPlatform(body: JsonObject): JsonObject {
  const said = Object.entries(body).filter(([name]) => !name.startsWith(platformMark))
  const told = said.length === Object.keys(body).length ? body : Object.fromEntries(said)
  const isHeldBack = hasIntervened(body) || heldBack.has(body['stop_reason'])
  return isHeldBack && 'stop_reason' in body ? { ...told, stop_reason: 'refusal' } : told
}

export function hasIntervened(body: JsonObject): boolean {
  return body[guardrailAction] === 'INTERVENED'
}

/** The event that says why the answer ended, of one that was held back. */
export function asRefusal(event: JsonObject): JsonObject {
  return { ...event, delta: { ...(event['delta'] as JsonObject | undefined), stop_reason: 'refusal' } }
}
