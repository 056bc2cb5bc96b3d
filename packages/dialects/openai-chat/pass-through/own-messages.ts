import { thoughtMark, withoutThought } from '../../requests/thoughts-in-ids.ts'

/**
 * What of a message that was sent back holds thoughts: our own names for them, and those of other gateways.
 */
const reasoningFields = ['reasoning_content', 'reasoning_details', 'reasoning'] as const

interface InputMessage {
  role?: unknown
  tool_calls?: { id?: unknown }[] | null
  tool_call_id?: unknown
}

/** What a conversation has that is to be changed: to search its bytes for it takes a microsecond each. */
export interface Foreign {
  /** Calls or results of them: their identifiers may have thoughts in them. */
  calls: boolean
  /** Reasoning, which is not taken there. */
  reasoning: boolean
  /** OpenAI's own role, which is not taken there. */
  developer: boolean
}

/**
 * The messages of a conversation that went on at another vendor before, for one of OpenAI's style: without
 * the thoughts in the identifiers of calls, which are longer than such vendors take, and without reasoning
 * and OpenAI's own role where they are refused. Undefined where nothing has to change.
 * @param messages the array's JSON as the caller wrote it
 */
export function ownMessages(messages: Buffer, { calls, reasoning, developer }: Foreign): string | undefined {
  const thoughts = calls && messages.includes(thoughtMark)
  if (!thoughts && !reasoning && !developer) return undefined
  const said = JSON.parse(messages.toString('utf8')) as InputMessage[]
  for (const message of said) {
    if (thoughts) shortenIds(message)
    if (reasoning) for (const field of reasoningFields) Reflect.deleteProperty(message, field)
    if (developer && message.role === 'developer') message.role = 'system'
  }
  return JSON.stringify(said)
}

function shortenIds(message: InputMessage): void {
  if (typeof message.tool_call_id === 'string') message.tool_call_id = withoutThought(message.tool_call_id)
  for (const call of message.tool_calls ?? []) {
    if (typeof call.id === 'string') call.id = withoutThought(call.id)
  }
}
