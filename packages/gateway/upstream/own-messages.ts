import { thoughtMark, withoutThought } from '@turnpike/dialects'

/**
 * What of a message that was sent back holds thoughts: our own names for them, and those of other gateways.
 */
const reasoningFields = ['reasoning_content', 'reasoning_details', 'reasoning'] as const
const reasoningMark = '"reasoning'

interface SaidMessage {
  tool_calls?: { id?: unknown }[] | null
  tool_call_id?: unknown
}

/**
 * The messages of a conversation that went on at another vendor before, for one of OpenAI's style: without
 * the thoughts in the identifiers of calls, which are longer than such vendors take, and without reasoning
 * where it is refused. Undefined where nothing has to change, which two searches of the bytes tell.
 * @param messages the array's JSON as the caller wrote it
 */
export function ownMessages(messages: Buffer, refusesReasoning: boolean): string | undefined {
  const thoughts = messages.includes(thoughtMark)
  const reasoning = refusesReasoning && messages.includes(reasoningMark)
  if (!thoughts && !reasoning) return undefined
  const said = JSON.parse(messages.toString('utf8')) as SaidMessage[]
  for (const message of said) {
    if (thoughts) shortenIds(message)
    if (reasoning) for (const field of reasoningFields) Reflect.deleteProperty(message, field)
  }
  return JSON.stringify(said)
}

function shortenIds(message: SaidMessage): void {
  if (typeof message.tool_call_id === 'string') message.tool_call_id = withoutThought(message.tool_call_id)
  for (const call of message.tool_calls ?? []) {
    if (typeof call.id === 'string') call.id = withoutThought(call.id)
  }
}
