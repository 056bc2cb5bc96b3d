import type { Message } from '@turnpike/protocol'
import { withoutHarnessBlocks } from './harness-blocks.ts'
import { isAnaphoric } from './anaphora.ts'

/** The part of a conversation that is scored: never the system prompt, tools or tool results. */
export interface PromptToScore {
  /** The user's message without the blocks that agent harnesses add; `''` if there is none. */
  text: string
  /**
   * The latest message means nothing by itself (`yes, go on`), so a known conversation keeps its tier. `text`
   * is then the latest message that does mean something, if there is one.
   */
  anaphoric: boolean
  /** How many messages the user has sent so far, including this one. */
  asks: number
  /** The latest message is not the user's but a tool result or similar, so the model is within a turn. */
  withinTurn: boolean
}

/** Finds the text to score. Looks no further back than necessary. */
export function promptToScore(messages: readonly Message[]): PromptToScore {
  let asks = 0
  let newest: string | undefined
  let text: string | undefined
  let withinTurn = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    const ask = message.role === 'user' ? askOf(message) : ''
    if (ask === '') {
      if (newest === undefined && message.role === 'tool') withinTurn = true
      continue
    }
    asks++
    newest ??= ask
    if (text === undefined && !isAnaphoric(ask)) text = ask
  }
  const anaphoric = newest !== undefined && isAnaphoric(newest)
  return { text: text ?? newest ?? '', anaphoric, asks, withinTurn }
}

function askOf(message: Message): string {
  const texts: string[] = []
  for (const block of message.content) if (block.kind === 'text') texts.push(block.text)
  return withoutHarnessBlocks(texts.length === 1 ? texts[0]! : texts.join('\n')).trim()
}
