import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import { parseProof } from '../../answers/reasoning-proof.ts'
import { isBillingBlock, isBillingLine } from '../billing-line.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { objectMember, textMember } from '../../requests/fields/typed-members.ts'
import { cacheMark, parseContentBlock, type InputBlock } from './content.ts'
import type { MessagesRequest, MessagesTurn } from './request-schema.ts'

/** Calls of the preceding turns. */
export interface OpenCalls {
  /** Calls in the assistant's last turn without a result so far. */
  waiting: Set<string>
  /** Calls with a result. */
  answered: Set<string>
}

/** The instructions before all turns, without lines for the vendor only. Undefined if nothing remains. */
export function parseSystem(system: MessagesRequest['system']): Message | undefined {
  if (system === undefined || system === null || system === '') return undefined
  const blocks: InputBlock[] | string = system
  if (typeof blocks === 'string')
    return isBillingLine(blocks) ? undefined : { role: 'system', content: [{ kind: 'text', text: blocks }] }
  const content: ContentBlock[] = []
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!
    if (!isBillingBlock(block)) content.push(parseContentBlock(block, `system.${index}`))
  }
  return content.length === 0 ? undefined : { role: 'system', content }
}

/**
 * Adds the messages of one turn. A user's tool results become messages of their own, before its other
 * content.
 * @throws {GatewayError} 400 that names the wrong member, or a result without a call
 */
export function addTurn(turn: MessagesTurn, index: number, messages: Message[], open: OpenCalls): void {
  const { role, content } = turn
  if (typeof content === 'string') {
    if (role === 'assistant') forget(open)
    messages.push({ role, content: [{ kind: 'text', text: content }] })
    return
  }
  const path = `messages.${index}.content`
  if (role === 'assistant') {
    forget(open)
    messages.push({ role, content: parseAnswer(content, path, open) })
  } else if (role === 'user') addUserTurn(content, path, messages, open)
  else messages.push({ role, content: parseBlocks(content, path) })
}

function forget({ waiting, answered }: OpenCalls): void {
  if (waiting.size > 0) waiting.clear()
  if (answered.size > 0) answered.clear()
}

function addUserTurn(
  blocks: readonly InputBlock[],
  path: string,
  messages: Message[],
  open: OpenCalls,
): void {
  const content: ContentBlock[] = []
  let results = 0
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!
    if (block.type === 'tool_result') {
      messages.push(parseResult(block, `${path}.${at}`, open))
      results++
    } else content.push(parseContentBlock(block, `${path}.${at}`))
  }
  if (content.length > 0 || results === 0) messages.push({ role: 'user', content })
}

function parseBlocks(blocks: readonly InputBlock[], path: string): ContentBlock[] {
  return blocks.map((block, at) => parseContentBlock(block, `${path}.${at}`))
}

function parseAnswer(blocks: readonly InputBlock[], path: string, { waiting }: OpenCalls): ContentBlock[] {
  return blocks.map((block, at) => {
    switch (block.type) {
      case 'thinking':
        return parseThinking(block, `${path}.${at}`)
      case 'redacted_thinking':
        return parseRedactedThinking(block, `${path}.${at}`)
      case 'tool_use': {
        const id = textMember(block, 'id', `${path}.${at}`)
        waiting.add(id)
        return parseCall(block, id, `${path}.${at}`)
      }
      default:
        return parseContentBlock(block, `${path}.${at}`)
    }
  })
}

/** Without a signature, any vendor may read the thinking. Another vendor's proof names its format. */
function parseThinking(block: InputBlock, path: string): ReasoningBlock {
  const text = textMember(block, 'thinking', path)
  const { signature } = block
  if (signature === undefined || signature === null || signature === '') return { kind: 'reasoning', text }
  const proof = textMember(block, 'signature', path)
  return { kind: 'reasoning', text, ...(parseProof(proof) ?? { format: reasoningFormat, signature: proof }) }
}

function parseRedactedThinking(block: InputBlock, path: string): ReasoningBlock {
  const data = textMember(block, 'data', path)
  return {
    kind: 'reasoning',
    text: '',
    ...(parseProof(data) ?? { format: reasoningFormat, encrypted: data }),
  }
}

function parseCall(block: InputBlock, id: string, path: string): ContentBlock {
  return {
    kind: 'tool-call',
    id,
    name: textMember(block, 'name', path),
    arguments: JSON.stringify(objectMember(block, 'input', path)),
    variant: 'function',
    ...cacheMark(block),
  }
}

function parseResult(block: InputBlock, path: string, open: OpenCalls): Message {
  const id = textMember(block, 'tool_use_id', path)
  takeCall(id, `${path}.tool_use_id`, open)
  const failed = block['is_error'] === true ? { failed: true } : {}
  return { role: 'tool', content: resultContent(block, `${path}.content`), toolCallId: id, ...failed }
}

/** The vendor joins consecutive turns of the user, and each call of the preceding turn has one result. */
function takeCall(id: string, path: string, { waiting, answered }: OpenCalls): void {
  if (waiting.delete(id)) {
    answered.add(id)
    return
  }
  const expected = answered.has(id)
    ? 'one result per call, but this call has two'
    : 'the id of a tool_use block in the previous turn'
  throw invalidRequest(path, `${path}: expected ${expected}.`)
}

/** A cache mark on the result becomes one on the last block of its content. */
function resultContent(block: InputBlock, path: string): ContentBlock[] {
  const value = block['content']
  const blocks =
    value === undefined || value === null
      ? ''
      : typeof value === 'string'
        ? value
        : requireBlocks(value, path)
  // A tool result without content gets an empty text, since most vendors require content.
  const content: ContentBlock[] =
    typeof blocks === 'string' || blocks.length === 0
      ? [{ kind: 'text', text: typeof blocks === 'string' ? blocks : '' }]
      : parseBlocks(blocks, path)
  const mark = cacheMark(block)
  const last = content.findLast(
    (one) => one.kind === 'text' || one.kind === 'image' || one.kind === 'document',
  )
  if (mark.cache !== undefined && last !== undefined) Object.assign(last, mark)
  return content
}

/** @throws {GatewayError} 400 if it is not a list of blocks */
function requireBlocks(content: unknown, path: string): InputBlock[] {
  if (!Array.isArray(content))
    throw invalidRequest(path, `${path}: expected a string or an array of content blocks.`)
  const blocks = content as unknown[]
  for (let at = 0; at < blocks.length; at++) requireBlock(blocks[at], `${path}.${at}`)
  return blocks as InputBlock[]
}

function requireBlock(block: unknown, path: string): void {
  if (typeof block !== 'object' || block === null || Array.isArray(block))
    throw invalidRequest(path, `${path}: expected a content block object with a type.`)
  textMember(block as Record<string, unknown>, 'type', path)
  const { cache_control: mark } = block as { cache_control?: { type?: unknown; ttl?: unknown } | null }
  if (mark === undefined || mark === null) return
  const known = mark.ttl === undefined || mark.ttl === null || mark.ttl === '5m' || mark.ttl === '1h'
  if (mark.type === 'ephemeral' && known) return
  const expected = 'an object such as {"type": "ephemeral", "ttl": "1h"}'
  throw invalidRequest(`${path}.cache_control`, `${path}.cache_control: expected ${expected}.`)
}
