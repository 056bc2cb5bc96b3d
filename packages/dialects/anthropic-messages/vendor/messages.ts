import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { Positions } from '../../requests/fields/requested-message-fields.ts'
import {
  alternatingTurns,
  blocksOf,
  isEmptyTurn,
  markInstruction,
  turnOf,
  type Turn,
} from '../../requests/turns.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { formatContent, type Block } from './content.ts'
import { formatToolCall, formatToolResult, missingResult, plainText } from './tool-call.ts'

export interface Conversation {
  /** Instructions before all turns. */
  system: Block[]
  messages: Block[]
  /**
   * The model's last turn has calls and does not begin with its thinking. A model that thinks within a budget
   * then refuses to think ("a final `assistant` message must start with a thinking block").
   */
  unthoughtCalls: boolean
}

/**
 * The messages as Anthropic requires them: instructions separate, turns that alternate, nothing empty.
 * @throws {GatewayError} 400 that names what has no equivalent
 */
export function formatConversation(messages: readonly Message[], model: ClaudeTraits): Conversation {
  const turns: Turn[] = []
  let system: Block[] = []
  for (const [index, message] of messages.entries()) {
    const turn = formatMessage(message, index, model)
    if (isEmptyTurn(turn)) continue
    if (turn.role === 'system' && turns.length === 0) system.push(...turn.content)
    else turns.push(turn)
  }
  if (turns.length === 0) {
    // Instructions alone are the prompt, and Anthropic requires a user's turn.
    turns.push(turnOf('user', { content: system }))
    system = []
  }
  const alternating = alternatingTurns(placeInstructions(turns, model), { text: plainBlock, missingResult })
  trimPrefill(alternating.at(-1))
  const calling = alternating.findLast(({ role }) => role === 'assistant')
  return {
    system,
    messages: alternating.map(formatTurn),
    unthoughtCalls: calling !== undefined && calling.calls.length > 0 && calling.thinking.length === 0,
  }
}

function formatMessage(message: Message, index: number, model: ClaudeTraits): Turn {
  const path = `messages[${index}]`
  switch (message.role) {
    case 'tool': {
      return turnOf('user', { results: [formatToolResult(message, path)] })
    }
    case 'assistant':
      return formatAssistant(message.content, path, model)
    case 'system':
    case 'developer':
      return turnOf('system', { content: formatInstructions(message.content, path) })
    case 'user':
      return turnOf('user', { content: formatParts(message.content, path) })
  }
}

function formatParts(content: readonly ContentBlock[], path: string): Block[] {
  const positions = new Positions(path)
  const blocks = content.map((block) => formatContent(block, positions.of(block)))
  return blocks.filter((block) => block !== undefined)
}

function formatInstructions(content: readonly ContentBlock[], path: string): Block[] {
  const blocks = content.map((block, index) => {
    if (block.kind === 'text' || isOwnBlock(block)) return formatContent(block, path)
    const part = `${path}.content[${index}]`
    throw invalidRequest(part, `${part}: expected text, since instructions are text only.`)
  })
  return blocks.filter((block) => block !== undefined)
}

function isOwnBlock(block: ContentBlock): boolean {
  return block.kind === 'raw' && block.format === 'anthropic-messages'
}

function formatAssistant(content: readonly ContentBlock[], path: string, model: ClaudeTraits): Turn {
  const positions = new Positions(path)
  const turn = turnOf('assistant')
  for (const block of content) {
    const at = positions.of(block)
    if (block.kind === 'reasoning') {
      const thinking = model.thinking === 'none' ? undefined : formatThinking(block)
      if (thinking !== undefined) turn.thinking.push(thinking)
    } else if (block.kind === 'tool-call') turn.calls.push(formatToolCall(block, at))
    else {
      const formatted = formatContent(block, at)
      if (formatted !== undefined) turn.content.push(formatted)
    }
  }
  return turn
}

/** Only what Anthropic itself signed or encrypted goes back: it refuses thinking without a proof. */
function formatThinking(block: ReasoningBlock): Block | undefined {
  if (block.format !== reasoningFormat) return undefined
  if (block.encrypted !== undefined) return { type: 'redacted_thinking', data: block.encrypted }
  if (block.signature === undefined) return undefined
  return { type: 'thinking', thinking: block.text, signature: block.signature }
}

/**
 * Instructions within the conversation keep their place. If the model accepts them as turns, they are turns
 * of their own (after a user's turn and before an assistant's or at the end, never two in a row). Otherwise
 * they become marked text of the user's turn:
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages.
 */
function placeInstructions(turns: readonly Turn[], model: ClaudeTraits): Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const before = joined.at(-1)
    if (turn.role === 'system' && before?.role === 'system') {
      joined[joined.length - 1] = turnOf('system', { content: [...before.content, ...turn.content] })
    } else joined.push(turn)
  }
  return joined.map((turn, index) => {
    if (turn.role !== 'system') return turn
    const follows = joined[index + 1]?.role
    if (model.systemTurns && joined[index - 1]?.role === 'user' && follows !== 'user') return turn
    return turnOf('user', { content: turn.content.map(asMarked) })
  })
}

function asMarked(block: Block): Block {
  if (block['type'] !== 'text') return block
  return { ...block, text: markInstruction(String(block['text'])) }
}

function plainBlock(text: string): Block {
  return { type: 'text', text }
}

/** The turn as it is sent. A single plain text stays a string, as most clients would write it. */
function formatTurn(turn: Turn): Block {
  const blocks = blocksOf(turn)
  return { role: turn.role, content: plainText(blocks) ?? blocks }
}

/** The beginning of an answer that the model is to continue must not end in white space. */
function trimPrefill(last: Turn | undefined): void {
  const text = last?.role === 'assistant' ? last.content.at(-1) : undefined
  if (text?.['type'] === 'text') text['text'] = String(text['text']).trimEnd()
}
