import { invalidRequest, type Message } from '@turnpike/protocol'

/**
 * The text of a conversation's single user message, for a model that continues a text.
 * @throws {GatewayError} 400 if the conversation has more than that
 */
export function onlyText(messages: readonly Message[]): string {
  const [message] = messages
  if (messages.length === 1 && message!.role === 'user') return textOf(message!)
  throw invalidRequest(
    messages.length > 1 ? 'messages[1]' : 'messages',
    'messages: expected a single user message, since this model completes a text and does not chat.',
  )
}

export function textOf({ content }: Message): string {
  return content.map((block) => (block.kind === 'text' ? block.text : '')).join('\n')
}
