import type { Message } from '@turnpike/protocol'
import { withoutHarnessBlocks } from './harness-blocks.ts'
import { isAnaphoric } from './anaphora.ts'

/** What of a conversation is scored: never the system prompt, tools or what tools answered. */
export interface PromptToScore {
  /** The ask that is scored, without the blocks that agents' harnesses add; `''` where there is none. */
  text: string
  /**
   * The newest ask means nothing by itself (`yes, go on`): a known conversation keeps its tier. `text` is
   * then the newest ask that does mean something, if there is one.
   */
  anaphoric: boolean
  /** User asks so far, this one included. */
  asks: number
  /** The newest message is not the user's ask but a tool's answer or the like: the model is within a turn. */
  withinTurn: boolean
}

/** Finds what to score. Looks no further back than it must. */
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
