import { invalidRequest, type Message } from '@turnpike/protocol'

/**
 * What a model that goes on with a text is given of a conversation: the one user message that there may be.
 * @throws {GatewayError} 400 where there is more
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
