import type { ContentBlock, Message } from '@turnpike/protocol'

const isText = ({ kind }: ContentBlock): boolean => kind === 'text' || kind === 'refusal'

/**
 * Moves images and documents from tool results into a user message after the turn's results: OpenAI only
 * accepts text in a tool's message ("Image URLs are only allowed for messages with role 'user'"). Returns the
 * same messages if there are none.
 */
export function withToolMediaApart(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ role, content }) => role === 'tool' && !content.every(isText))) return messages
  const apart: Message[] = []
  let waiting: ContentBlock[] = []
  const release = (): void => {
    if (waiting.length > 0) apart.push({ role: 'user', content: waiting })
    waiting = []
  }
  for (const message of messages) {
    if (message.role === 'tool') apart.push(textOf(message, waiting))
    else {
      release()
      apart.push(message)
    }
  }
  release()
  return apart
}

/** @param media the media of the result are added to it */
function textOf(message: Extract<Message, { role: 'tool' }>, media: ContentBlock[]): Message {
  const { content, toolCallId } = message
  if (content.every(isText)) return message
  const label: ContentBlock = { kind: 'text', text: `What the call ${toolCallId} gave:` }
  media.push(label, ...content.filter((block) => !isText(block)))
  const hint: ContentBlock = { kind: 'text', text: 'What else the call gave is in the next message.' }
  return { ...message, content: [...content.filter(isText), hint] }
}
