import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import type { BedrockTraits } from '../../model-traits.ts'
import { Positions } from '../../requests/fields/requested-message-fields.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import {
  alternatingTurns,
  blocksOf,
  isEmptyTurn,
  markInstruction,
  turnOf,
  type Turn,
  type TurnBlock,
} from '../../requests/turns.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { cachePoint, formatContent, textBlock, type FormatContext } from './content.ts'
import { formatToolCall, formatToolResult, missingResult } from './tool-call.ts'

export interface Conversation {
  /** Instructions before all turns. Empty: none. */
  system: TurnBlock[]
  messages: TurnBlock[]
  /** The model's last turn has calls and does not begin with its thinking. */
  unthoughtCalls: boolean
}

/**
 * The messages as Converse requires them: instructions separate, turns that alternate, nothing empty.
 * @throws {GatewayError} 400 that names what has no equivalent
 */
export function formatConversation(messages: readonly Message[], model: BedrockTraits): Conversation {
  const saying: FormatContext = { model, documents: 0 }
  const turns: Turn[] = []
  let system: TurnBlock[] = []
  for (const [index, message] of withDocumentsAsText(messages).entries()) {
    const turn = formatMessage(message, index, saying)
    if (isEmptyTurn(turn)) continue
    if (turn.role !== 'system') turns.push(turn)
    else if (turns.length === 0 && model.system) system.push(...turn.content)
    else turns.push(turnOf('user', { content: turn.content.map(asMarked) }))
  }
  if (turns.length === 0) {
    // Instructions alone are the prompt, and Bedrock requires a user's turn.
    turns.push(turnOf('user', { content: system }))
    system = []
  }
  const alternating = alternatingTurns(turns, { text: (text) => ({ text }), missingResult })
  trimPrefill(alternating.at(-1))
  const calling = alternating.findLast(({ role }) => role === 'assistant')
  return {
    system,
    messages: alternating.map((turn) => ({ role: turn.role, content: withText(blocksOf(turn)) })),
    unthoughtCalls: calling !== undefined && calling.calls.length > 0 && calling.thinking.length === 0,
  }
}

function formatMessage(message: Message, index: number, saying: FormatContext): Turn {
  const path = `messages[${index}]`
  switch (message.role) {
    case 'tool': {
      const { result, beside } = formatToolResult(message, path, saying)
      return turnOf('user', { results: [result], content: beside })
    }
    case 'assistant':
      return formatAssistant(message.content, path, saying)
    case 'system':
    case 'developer':
      return turnOf('system', { content: formatInstructions(message.content, path, saying) })
    case 'user': {
      const positions = new Positions(path)
      const content = message.content.flatMap((block) => formatContent(block, positions.of(block), saying))
      return turnOf('user', { content })
    }
  }
}

function formatInstructions(
  content: readonly ContentBlock[],
  path: string,
  saying: FormatContext,
): TurnBlock[] {
  return content.flatMap((block, index) => {
    if (block.kind !== 'text') {
      const part = `${path}.content[${index}]`
      throw invalidRequest(part, `${part}: expected text, since instructions are text only.`)
    }
    const formatted = textBlock(block.text)
    return formatted === undefined ? [] : [formatted, ...cachePoint(block.cache, 'system', saying)]
  })
}

function formatAssistant(content: readonly ContentBlock[], path: string, saying: FormatContext): Turn {
  const positions = new Positions(path)
  const turn = turnOf('assistant')
  for (const block of content) {
    const at = positions.of(block)
    if (block.kind === 'reasoning') turn.thinking.push(...formatThinking(block, saying.model))
    else if (block.kind === 'tool-call') turn.calls.push(formatToolCall(block, at, saying))
    else turn.content.push(...formatContent(block, at, saying))
  }
  return turn
}

/** Only what Claude signed or encrypted at Bedrock goes back: thinking without a proof is refused. */
function formatThinking(block: ReasoningBlock, { thinking }: BedrockTraits): TurnBlock[] {
  if (block.format !== reasoningFormat || thinking !== 'claude') return []
  if (block.encrypted !== undefined) return [{ reasoningContent: { redactedContent: block.encrypted } }]
  if (block.signature === undefined) return []
  return [{ reasoningContent: { reasoningText: { text: block.text, signature: block.signature } } }]
}

function asMarked(block: TurnBlock): TurnBlock {
  const { text } = block
  return typeof text === 'string' ? { text: markInstruction(text) } : block
}

/** Bedrock requires a text beside a document ("a text field is required when you send a document"). */
function withText(blocks: TurnBlock[]): TurnBlock[] {
  const isBare = blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block)
  return isBare ? [...blocks, { text: 'See the document.' }] : blocks
}

/** The beginning of an answer that the model is to continue must not end in white space. */
function trimPrefill(last: Turn | undefined): void {
  const text = last?.role === 'assistant' ? last.content.findLast((block) => 'text' in block) : undefined
  if (text !== undefined) text['text'] = String(text['text']).trimEnd()
}
