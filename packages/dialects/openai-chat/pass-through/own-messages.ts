import { thoughtMark, withoutThought } from '../../requests/thoughts-in-ids.ts'

/** Fields of a message sent back that contain reasoning: our own names for it, and other gateways'. */
const reasoningFields = ['reasoning_content', 'reasoning_details', 'reasoning'] as const

interface InputMessage {
  role?: unknown
  tool_calls?: { id?: unknown }[] | null
  tool_call_id?: unknown
}

/** What must change in a conversation. Searching its bytes takes a microsecond for each of these. */
export interface Foreign {
  /** Calls or their results, whose ids may contain thoughts. */
  calls: boolean
  /** Reasoning, which the vendor rejects. */
  reasoning: boolean
  /** OpenAI's developer role, which the vendor rejects. */
  developer: boolean
}

/**
 * The messages for a vendor of OpenAI's style, if the conversation was at another vendor before: without the
 * thoughts in ids of calls, which are longer than such vendors accept, and without reasoning and OpenAI's
 * developer role if the vendor rejects them. Undefined if nothing has to change.
 * @param messages the array's JSON as the caller wrote it
 */
export function ownMessages(messages: Buffer, { calls, reasoning, developer }: Foreign): string | undefined {
  const thoughts = calls && messages.includes(thoughtMark)
  if (!thoughts && !reasoning && !developer) return undefined
  const parsed = JSON.parse(messages.toString('utf8')) as InputMessage[]
  for (const message of parsed) {
    if (thoughts) shortenIds(message)
    if (reasoning) for (const field of reasoningFields) Reflect.deleteProperty(message, field)
    if (developer && message.role === 'developer') message.role = 'system'
  }
  return JSON.stringify(parsed)
}

function shortenIds(message: InputMessage): void {
  if (typeof message.tool_call_id === 'string') message.tool_call_id = withoutThought(message.tool_call_id)
  for (const call of message.tool_calls ?? []) {
    if (typeof call.id === 'string') call.id = withoutThought(call.id)
  }
}
