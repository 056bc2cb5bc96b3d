import type { ContentBlock, ModelRequest } from '@turnpike/protocol'
import type { InputSeen } from '../rules.ts'
import { mediaOf } from './media.ts'

/** The texts to count the request's tokens from. */
export function inputSeen(request: ModelRequest): InputSeen {
  const texts: string[] = []
  for (const message of request.messages) {
    for (const block of message.content) {
      if ('text' in block) texts.push(block.text)
      else if (block.kind === 'tool-call') texts.push(block.name, block.arguments)
      else if (block.kind === 'raw') texts.push(JSON.stringify(block.value))
    }
  }
  const { suffix, numberedTokens = 0 } = request.completion ?? {}
  if (suffix !== undefined) texts.push(suffix)
  const textless = mediaOf(request).tokens + numberedTokens
  return { text: texts.join('\n'), tools: request.tools, mediaTokens: textless }
}

/** Every text of a request that a vendor's error may quote. */
export function* quotable({ messages, tools, completion }: ModelRequest): Generator<string> {
  yield completion?.suffix ?? ''
  for (const { content } of messages) for (const block of content) yield textOf(block)
  for (const tool of tools) if (tool.kind === 'function') yield tool.description ?? ''
}

function textOf(block: ContentBlock): string {
  switch (block.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return block.text
    case 'tool-call':
      return block.arguments
    case 'raw':
      return JSON.stringify(block.value) ?? ''
    case 'image':
    case 'audio':
    case 'document':
      return block.source.type === 'url' ? block.source.url : ''
  }
}
