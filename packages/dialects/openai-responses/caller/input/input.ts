import {
  invalidRequest,
  type ContentBlock,
  type GatewayError,
  type Message,
  type ReasoningBlock,
} from '@turnpike/protocol'
import { parseProof } from '../../../answers/reasoning-proof.ts'
import { reasoningFormat } from '../../reasoning-format.ts'
import { textArgument } from '../response/response-context.ts'
import { parseContent } from './content.ts'
import { referencedId } from '../kept-items.ts'
import {
  listMember,
  objectMember,
  optionalText,
  textMember,
  wrongMember,
  type Members,
} from '../../../requests/fields/typed-members.ts'
import type { Origins } from './origins.ts'
import type { ResponsesRequest } from '../request-schema.ts'
import { resolveToolName, searchName, type ToolNames } from './tool-names.ts'
import { forEachTool, nameAtVendors } from './tools.ts'

/** A conversation that is being parsed. */
interface Reading {
  messages: Message[]
  /** Consecutive text, reasoning and calls of the model form one message. */
  turn: ContentBlock[] | undefined
  /** Calls by their ids, and whether their output has occurred. */
  calls: Map<string, boolean>
  names: ToolNames
  origins: Origins | undefined
}

const noReference =
  'this gateway does not store responses or their items: send the item itself, as SDKs do with ' +
  'store: false (operators can turn storage on with responses.store_days)'

/**
 * Parses `instructions` and `input` as messages.
 * @param origins filled with the path of each message and block
 * @throws {GatewayError} 400 that names the wrong member
 */
export function parseInput(body: ResponsesRequest, names: ToolNames, origins?: Origins): Message[] {
  const reading: Reading = { messages: [], turn: undefined, calls: new Map(), names, origins }
  const { instructions, input } = body
  if (typeof instructions === 'string' && instructions !== '')
    addMessage(
      { role: 'system', content: parseContent(instructions, 'instructions', origins) },
      'instructions',
      reading,
    )
  if (typeof input === 'string')
    addMessage({ role: 'user', content: parseContent(input, 'input', origins) }, 'input', reading)
  else for (let at = 0; at < input.length; at++) addItem(input[at] as Members, `input[${at}]`, reading)
  return reading.messages
}

function addMessage(message: Message, path: string, reading: Reading): void {
  reading.turn = undefined
  reading.messages.push(message)
  reading.origins?.set(message, path)
}

/** Adds a block to the model's turn, and begins the turn if none is open. */
function addSaid(blocks: readonly ContentBlock[], path: string, reading: Reading): void {
  if (reading.turn === undefined) {
    const turn: ContentBlock[] = []
    addMessage({ role: 'assistant', content: turn }, path, reading)
    reading.turn = turn
  }
  reading.turn.push(...blocks)
}

function addBlock(block: ContentBlock, path: string, reading: Reading): void {
  addSaid([block], path, reading)
  reading.origins?.set(block, path)
}

function addItem(item: Members, path: string, reading: Reading): void {
  const { type: ownType } = item as { type?: string | null; role?: string | null }
  const type = ownType ?? (item['role'] === undefined ? undefined : 'message')
  switch (type) {
    case 'message':
      return addSpoken(item, path, reading)
    case 'reasoning':
      return addBlock(parseReasoning(item, path), path, reading)
    case 'function_call':
    case 'custom_tool_call':
      return addCall(item, type, path, reading)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return addOutput(item, path, reading)
    case 'tool_search_call':
      return addSearch(item, path, reading)
    case 'tool_search_output':
      return addFound(item, path, reading)
    // Its tools are parsed with the others.
    case 'additional_tools':
      return
    // The vendor's own search: its results are in the message that follows.
    case 'web_search_call':
      return
    case 'item_reference':
      textMember(item, 'id', path)
      throw unkeptItem(path)
    case 'image_generation_call':
      if (referencedId(item) !== undefined) throw unkeptItem(path)
      return addBlock({ kind: 'raw', value: item, format: 'openai-responses' }, path, reading)
    default:
      if (referencedId(item) !== undefined) throw unkeptItem(path)
      if (type === undefined)
        throw wrongMember(item['type'], `${path}.type`, 'the type of the item, such as "message"')
      return addBlock({ kind: 'raw', value: item, format: 'openai-responses' }, path, reading)
  }
}

function unkeptItem(path: string): GatewayError {
  return invalidRequest(`${path}.id`, `${path}.id: ${noReference}.`)
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

function addSpoken(item: Members, path: string, reading: Reading): void {
  const { role } = item
  if (!roles.has(role)) throw wrongMember(role, `${path}.role`, 'one of user, assistant, system, developer')
  const content = parseContent(item['content'], `${path}.content`, reading.origins)
  if (role === 'assistant') addSaid(content, path, reading)
  else addMessage({ role: role as 'user' | 'system' | 'developer', content }, path, reading)
}

/** Reads a summary as text, too. Without a proof, any vendor may read the reasoning. */
function parseReasoning(item: Members, path: string): ReasoningBlock {
  const thought = textsOf(item, 'content', path)
  const text = thought === '' ? textsOf(item, 'summary', path) : thought
  const encrypted = optionalText(item, 'encrypted_content', path)
  if (encrypted === undefined || encrypted === '') return { kind: 'reasoning', text }
  const id = optionalText(item, 'id', path)
  const own = { format: reasoningFormat, encrypted, ...(id === undefined ? {} : { id }) }
  return { kind: 'reasoning', text, ...(parseProof(encrypted) ?? own) }
}

function textsOf(item: Members, name: 'content' | 'summary', path: string): string {
  if (item[name] === undefined || item[name] === null) return ''
  const parts = listMember(item, name, path)
  return parts.map((part, at) => textMember(part, 'text', `${path}.${name}[${at}]`)).join('\n\n')
}

function addCall(
  item: Members,
  type: 'function_call' | 'custom_tool_call',
  path: string,
  reading: Reading,
): void {
  const id = textMember(item, 'call_id', path)
  const name = textMember(item, 'name', path)
  const called = resolveToolName(name, optionalText(item, 'namespace', path), reading.names)
  const call = { kind: 'tool-call' as const, id, name: called }
  reading.calls.set(id, false)
  if (type === 'function_call') {
    const text = textMember(item, 'arguments', path)
    return addBlock({ ...call, arguments: text, variant: 'function' }, path, reading)
  }
  const text = JSON.stringify({ [textArgument]: textMember(item, 'input', path) })
  addBlock({ ...call, arguments: text, variant: 'function' }, path, reading)
}

/**
 * A search that the client made among its own tools. A search that the vendor made itself was for tools whose
 * declarations it did not get at once; here they are all declared.
 */
function addSearch(item: Members, path: string, reading: Reading): void {
  if (item['execution'] !== 'client') return
  const id = textMember(item, 'call_id', path)
  const text = JSON.stringify(objectMember(item, 'arguments', path))
  reading.calls.set(id, false)
  addBlock({ kind: 'tool-call', id, name: searchName, arguments: text, variant: 'function' }, path, reading)
}

/** The tools that were found are parsed with the others. */
function addFound(item: Members, path: string, reading: Reading): void {
  if (item['execution'] !== 'client') return
  const found: string[] = []
  forEachTool(listMember(item, 'tools', path), `${path}.tools`, (tool, place, namespace) => {
    const name = nameAtVendors(tool, place, namespace)
    if (name !== undefined) found.push(name)
  })
  const text = found.length === 0 ? 'No tools were found.' : `These tools were found: ${found.join(', ')}.`
  const toolCallId = requireOpenCall(item, path, reading)
  addMessage({ role: 'tool', content: [{ kind: 'text', text }], toolCallId }, path, reading)
}

function addOutput(item: Members, path: string, reading: Reading): void {
  const toolCallId = requireOpenCall(item, path, reading)
  const content = parseContent(item['output'], `${path}.output`, reading.origins)
  // An output without content gets an empty text, since most vendors require content.
  if (content.length === 0) content.push({ kind: 'text', text: '' })
  addMessage({ role: 'tool', content, toolCallId }, path, reading)
}

function requireOpenCall(item: Members, path: string, reading: Reading): string {
  const id = textMember(item, 'call_id', path)
  const answered = reading.calls.get(id)
  if (answered !== false) {
    const expected =
      answered === true ? 'one output per call, but this call has two' : 'the call_id of a call before it'
    throw invalidRequest(`${path}.call_id`, `${path}.call_id: expected ${expected}.`)
  }
  reading.calls.set(id, true)
  return id
}
