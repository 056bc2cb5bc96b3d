import type { Message, ModelRequest } from '@turnpike/protocol'

const tries = 3
/** How tools report failure if their protocol has no field for it. */
const failure =
  /\b(?:error|fail(?:ed|ure)?|exception|traceback|denied|not found|invalid|cannot|timed? ?out)\b/i
const maxCharacters = 2_000

/**
 * True if the model called the same tool with the same arguments three times in a row since the user's last
 * message, and the call failed in the same way each time. A stronger model may see why.
 */
export function isStalled({ messages }: ModelRequest): boolean {
  const results = new Map<string, string | undefined>()
  let last: string | undefined
  let count = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    if (message.role === 'user') return false
    if (message.role === 'tool') results.set(message.toolCallId, failureOf(message))
    if (message.role !== 'assistant') continue
    for (const block of message.content.toReversed()) {
      if (block.kind !== 'tool-call') continue
      const failed = results.get(block.id)
      if (failed === undefined) return false
      const attempt = JSON.stringify([block.name, block.arguments, failed])
      if (last !== undefined && attempt !== last) return false
      last = attempt
      if (++count === tries) return true
    }
  }
  return false
}

/** A tool's error text; undefined if it did not fail. */
function failureOf(message: Message & { role: 'tool' }): string | undefined {
  let text = ''
  for (const block of message.content) if (block.kind === 'text') text += block.text.slice(0, maxCharacters)
  return message.failed === true || failure.test(text) ? text : undefined
}
