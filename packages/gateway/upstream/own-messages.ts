import { thoughtMark, withoutThought } from '@turnpike/dialects'

/**
 * What of a message that was sent back holds thoughts: our own names for them, and those of other gateways.
 */
const reasoningFields = ['reasoning_content', 'reasoning_details', 'reasoning'] as const
const reasoningMark = '"reasoning'
const developerMark = '"developer"'

interface SaidMessage {
  role?: unknown
  tool_calls?: { id?: unknown }[] | null
  tool_call_id?: unknown
}

/** What a provider of OpenAI's style does not take. */
interface Refusals {
  refusesReasoning: boolean
  refusesDeveloper: boolean
}

/**
 * The messages of a conversation that went on at another vendor before, for one of OpenAI's style: without
 * the thoughts in the identifiers of calls, which are longer than such vendors take, and without reasoning
 * and OpenAI's own role where they are refused. Undefined where nothing has to change, which searches of the
 * bytes tell.
 * @param messages the array's JSON as the caller wrote it
 */
export function ownMessages(messages: Buffer, refusals: Refusals): string | undefined {
  const thoughts = messages.includes(thoughtMark)
  const reasoning = refusals.refusesReasoning && messages.includes(reasoningMark)
  const developer = refusals.refusesDeveloper && messages.includes(developerMark)
  if (!thoughts && !reasoning && !developer) return undefined
  const said = JSON.parse(messages.toString('utf8')) as SaidMessage[]
  for (const message of said) {
    if (thoughts) shortenIds(message)
    if (reasoning) for (const field of reasoningFields) Reflect.deleteProperty(message, field)
    if (developer && message.role === 'developer') message.role = 'system'
  }
  return JSON.stringify(said)
}

function shortenIds(message: SaidMessage): void {
  if (typeof message.tool_call_id === 'string') message.tool_call_id = withoutThought(message.tool_call_id)
  for (const call of message.tool_calls ?? []) {
    if (typeof call.id === 'string') call.id = withoutThought(call.id)
  }
}
