import type { ContentBlock } from '@turnpike/protocol'
import { isForeignProof } from '../../answers/reasoning-proof.ts'
import type { GenerateCall } from '../../call.ts'
import type { SentRequest } from '../../caller.ts'
import { isPlainSearch } from '../../requests/fields/requested-fields.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'
import { thoughtMark } from '../../requests/thoughts-in-ids.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { fitCallId } from '../../requests/openai-identifiers.ts'
import { maxCallIdLength } from '../vendor/input.ts'

interface InputItem {
  type?: unknown
  id?: unknown
  call_id?: unknown
  content?: unknown
  encrypted_content?: unknown
  tools?: unknown
}

/**
 * Whether the conversation contains what this vendor would refuse: reasoning without its own proof, which it
 * would look up by id, or a call id that contains another vendor's thoughts.
 */
function tellsForeign({ request: { messages }, tellsReasoning }: GenerateCall): boolean {
  for (const message of messages) {
    if (message.role === 'tool' && message.toolCallId.includes(thoughtMark)) return true
    if (message.role === 'assistant' && message.content.some((block) => isForeign(block, tellsReasoning)))
      return true
  }
  return false
}

function isForeign(block: ContentBlock, tellsReasoning: boolean): boolean {
  if (block.kind === 'tool-call') return block.id.includes(thoughtMark)
  return tellsReasoning && block.kind === 'reasoning' && block.format !== reasoningFormat
}

/**
 * The items as the vendor accepts them: without reasoning that it cannot read, without the ids of items that
 * depended on it, and without a web search that nothing pays for. Undefined if nothing has to change.
 * @param input its JSON as the caller wrote it: a list, or a text
 */
export function ownInput(
  input: Buffer,
  { call, quirks, withoutSearch = false, withoutProofs = false }: SentRequest,
): string | undefined {
  const isForeign = withoutProofs || tellsForeign(call)
  const offers = withoutSearch && toolItems.some((type) => input.includes(type))
  if (!isForeign && !offers) return undefined
  const parsed = JSON.parse(input.toString('utf8')) as InputItem[] | string
  if (typeof parsed === 'string') return undefined
  const items = isForeign ? parsed.filter((item) => isReadable(item, quirks, withoutProofs)) : parsed
  if (isForeign) for (const item of items) fitIds(item)
  if (offers)
    for (const item of items)
      if (toolItems.includes(item.type as string) && Array.isArray(item.tools))
        item.tools = besideSearch(item.tools)
  return JSON.stringify(items)
}

/** Items that declare tools. */
const toolItems = ['additional_tools', 'tool_search_output']

/** The tools without the web search, including in namespaces. */
export function besideSearch(tools: readonly unknown[]): unknown[] {
  return tools.flatMap((tool) => {
    if (isPlainSearch(tool)) return []
    const { tools: nested } = (tool ?? {}) as { tools?: unknown }
    return Array.isArray(nested) ? { ...(tool as object), tools: besideSearch(nested) } : tool
  })
}

function fitIds(item: InputItem): void {
  if (typeof item.call_id === 'string') item.call_id = fitCallId(item.call_id, maxCallIdLength)
  if (needsNoId.has(item.type)) delete item.id
}

/**
 * By the id of an item, the vendor knows which reasoning preceded it, and requires that: "Item 'fc_…' of type
 * 'function_call' was provided without its required 'reasoning' item".
 */
const needsNoId: ReadonlySet<unknown> = new Set([undefined, 'message', 'function_call', 'custom_tool_call'])

/** Whether reasoning has the vendor's own proof, or plain text that it reads, which is sent without an id. */
function isReadable(item: InputItem, { refusesReasoning }: VendorQuirks, withoutProofs: boolean): boolean {
  if (item.type !== 'reasoning') return true
  const { encrypted_content: proof, content } = item
  const isOwn = typeof proof === 'string' && proof !== '' && !isForeignProof(proof)
  if (isOwn && !withoutProofs) return true
  delete item.encrypted_content
  delete item.id
  return !refusesReasoning && Array.isArray(content) && content.length > 0
}
