import { invalidRequest, type ContentBlock, type Message } from '@turnpike/protocol'
import type { GeminiTraits } from '../../../model-traits.ts'
import { Positions } from '../../../requests/fields/requested-message-fields.ts'
import { formatMedia, type Part } from './media.ts'
import { formatModelMessage } from './model-turn.ts'
import { formatToolResult, isMedia, resultText, type EarlierCall, type ToolResult } from './tool-result.ts'

interface Content {
  role: 'user' | 'model'
  parts: Part[]
}

interface Conversation {
  systemInstruction?: { parts: Part[] }
  contents: Content[]
}

interface Placed {
  message: Message
  path: string
}

/** Google refuses a conversation that does not begin with the user, and contents without text. */
const silence: Part = { text: ' ' }

/**
 * The conversation as Google accepts it: instructions first and separate, then the user's and the model's
 * turns, each call of the model directly followed by its result.
 * @throws {GatewayError} 400 that names a part which Google cannot read
 */
export function formatConversation(messages: readonly Message[], model: GeminiTraits): Conversation {
  const placed = messages.map((message, index) => ({ message, path: `messages[${index}]` }))
  const first = placed.findIndex(({ message }) => !isInstruction(message))
  const leading = first === -1 ? placed : placed.slice(0, first)
  const instructions = leading.flatMap(({ message, path }) => instructionParts(message, path))
  const contents: Content[] = []
  let calls: EarlierCall[] = []
  for (const turn of turnsOf(placed.slice(leading.length))) {
    if (turn[0]!.message.role === 'assistant') calls = addModelTurn(contents, turn, model)
    else {
      addUserTurn(contents, turn, calls, model)
      calls = []
    }
  }
  // Calls at the end of the conversation need results, too.
  addUserTurn(contents, [], calls, model)
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [silence] })
  return instructions.length === 0 ? { contents } : { systemInstruction: { parts: instructions }, contents }
}

/** Consecutive messages of one side. */
function turnsOf(placed: readonly Placed[]): Placed[][] {
  const turns: Placed[][] = []
  for (const one of placed) {
    const last = turns.at(-1)
    const sameSide = (last?.[0]?.message.role === 'assistant') === (one.message.role === 'assistant')
    if (last !== undefined && sameSide) last.push(one)
    else turns.push([one])
  }
  return turns
}

function addModelTurn(contents: Content[], turn: readonly Placed[], model: GeminiTraits): EarlierCall[] {
  const modelMessages = turn.map(({ message, path }) => formatModelMessage(message.content, path, model))
  const parts = modelMessages.flatMap((one) => one.parts)
  if (parts.length > 0) contents.push({ role: 'model', parts })
  return modelMessages.flatMap((one) => one.calls)
}

function addUserTurn(
  contents: Content[],
  turn: readonly Placed[],
  calls: readonly EarlierCall[],
  model: GeminiTraits,
): void {
  const results = turn.filter((one): one is ToolResult => one.message.role === 'tool')
  const answers = calls.map((call) => formatToolResult(call, takeResult(results, call), model))
  // Results have a content of their own, which Google compares with the preceding calls.
  if (answers.length > 0) contents.push({ role: 'user', parts: answers.map(({ part }) => part) })
  const parts = answers.flatMap(({ beside }) => beside)
  for (const { message, path } of turn) {
    if (message.role !== 'tool') parts.push(...userParts(message, path))
    else {
      const left = results.find((result) => result.message === message)
      if (left !== undefined) parts.push(...strayResult(left))
    }
  }
  if (parts.length === 0) return
  const last = contents.at(-1)
  if (last?.role === 'user' && answers.length === 0) last.parts.push(...parts)
  else contents.push({ role: 'user', parts })
}

/** Takes a call's result, by its id or, for deprecated functions, by its name. Each is used once. */
function takeResult(results: ToolResult[], call: EarlierCall): ToolResult | undefined {
  const isUnnamedResult = ({ message }: ToolResult): boolean =>
    message.toolCallId === '' && message.name === call.name
  const byId = call.id === '' ? -1 : results.findIndex(({ message }) => message.toolCallId === call.id)
  const at = byId === -1 ? results.findIndex(isUnnamedResult) : byId
  return at === -1 ? undefined : results.splice(at, 1)[0]
}

/** A result whose call is no longer in the conversation. Google would refuse it, so it becomes text. */
function strayResult({ message, path }: ToolResult): Part[] {
  const positions = new Positions(path)
  const media = message.content.flatMap((block) => {
    const at = positions.of(block)
    return isMedia(block) ? [formatMedia(block, at)] : []
  })
  const name = message.name ?? message.toolCallId
  return [{ text: `Result of the earlier call ${name}:\n${resultText(message)}` }, ...media]
}

function userParts(message: Message, path: string): Part[] {
  const positions = new Positions(path)
  const parts = message.content.flatMap((block) => contentPart(block, positions.of(block)))
  return parts.length === 0 ? [silence] : parts
}

function contentPart(block: ContentBlock, path: string): Part[] {
  if (isMedia(block)) return [formatMedia(block, path)]
  if (block.kind === 'raw' && block.format === 'google-generate') return [block.value as Part]
  if (block.kind === 'text' || block.kind === 'refusal')
    return block.text === '' ? [] : [{ text: block.text }]
  throw invalidRequest(path, `${path}: Google's models do not support this kind of part.`)
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function instructionParts(message: Message, path: string): Part[] {
  const positions = new Positions(path)
  return message.content.flatMap((block) => {
    const at = positions.of(block)
    if (block.kind === 'text') return block.text === '' ? [] : [{ text: block.text }]
    throw invalidRequest(at, `${at}: expected text, since instructions to Google's models are text only.`)
  })
}
