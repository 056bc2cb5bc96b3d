import { invalidRequest, type ContentBlock, type Message } from '@turnpike/protocol'
import { Positions } from '../../requests/fields/requested-message-fields.ts'
import type { OpenaiTraits } from '../../model-traits.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { fitCallId } from '../../requests/openai-identifiers.ts'
import { sourceUrl } from '../../requests/media-source.ts'

type Json = Record<string, unknown>
type ToolMessage = Extract<Message, { role: 'tool' }>
type ToolCall = Extract<ContentBlock, { kind: 'tool-call' }>

/** The longest call id that OpenAI's Responses accept, in characters. */
export const maxCallIdLength = 64

/** A conversation that is being written. */
interface Writing {
  items: Json[]
  /** Calls of custom tools, whose outputs are items of another type. */
  custom: Set<string>
  /** How many calls of the deprecated functions there were, which have no id. */
  unnamed: number
  /** The model needs to know which of its texts were final answers. */
  phases: boolean
}

/**
 * Writes a conversation as items of `input`
 * (https://platform.openai.com/docs/api-reference/responses/create#responses-create-input).
 * @throws {GatewayError} 400 that names the caller's part without an equivalent
 */
export function formatInput(messages: readonly Message[], { phases }: OpenaiTraits): Json[] {
  const writing: Writing = { items: [], custom: new Set(), unnamed: 0, phases }
  for (const [index, message] of withDocumentsAsText(messages).entries())
    addMessage(message, `messages[${index}]`, writing)
  return writing.items
}

/** The index of the message that an item of `input` was written from; undefined if there is none. */
export function messageOfItem(messages: readonly Message[], item: number): number | undefined {
  const writing: Writing = { items: [], custom: new Set(), unnamed: 0, phases: false }
  for (const [index, message] of withDocumentsAsText(messages).entries()) {
    addMessage(message, `messages[${index}]`, writing)
    if (writing.items.length > item) return index
  }
  return undefined
}

function addMessage(message: Message, path: string, writing: Writing): void {
  if (message.role === 'tool') return addOutput(message, path, writing)
  if (message.role === 'assistant') return addTurn(message.content, path, writing)
  writing.items.push({ type: 'message', role: message.role, content: contentOf(message.content, path) })
}

/** Writes the model's text, reasoning and calls in their order. Consecutive texts are one message. */
function addTurn(blocks: readonly ContentBlock[], path: string, writing: Writing): void {
  const { items } = writing
  const positions = new Positions(path)
  const lastCall = writing.phases ? blocks.findLastIndex(({ kind }) => kind === 'tool-call') : -1
  let texts: Json[] | undefined
  for (const [index, block] of blocks.entries()) {
    const at = positions.of(block)
    if (block.kind === 'reasoning') {
      const { encrypted, format, id } = block
      // What another vendor signed or encrypted is of no use here, and reasoning text is not read. Without
      // encrypted content, an id would refer to what the operator's account may keep.
      if (encrypted === undefined || encrypted === '' || format !== reasoningFormat) continue
      const own = id === undefined ? {} : { id }
      items.push({ type: 'reasoning', ...own, summary: [], encrypted_content: encrypted })
      texts = undefined
    } else if (block.kind === 'tool-call') {
      items.push(callOf(block, writing))
      texts = undefined
    } else {
      if (texts === undefined) {
        texts = []
        const phase = index < lastCall ? 'commentary' : 'final_answer'
        items.push({
          type: 'message',
          role: 'assistant',
          ...(writing.phases ? { phase } : undefined),
          content: texts,
        })
      }
      texts.push(formatOutputPart(block, at))
    }
  }
  // "Item of type 'reasoning' was provided without its required following item."
  while (items.at(-1)?.['type'] === 'reasoning') items.pop()
}

function formatOutputPart(block: ContentBlock, path: string): Json {
  if (block.kind === 'text') return { type: 'output_text', text: block.text }
  if (block.kind === 'refusal') return { type: 'refusal', refusal: block.text }
  throw invalidRequest(path, `${path}: expected text, since assistant messages are text only here.`)
}

function callOf({ id, name, arguments: text, variant }: ToolCall, writing: Writing): Json {
  if (variant === 'custom') {
    const callId = fitCallId(id, maxCallIdLength)
    writing.custom.add(callId)
    return { type: 'custom_tool_call', call_id: callId, name, input: text }
  }
  const callId =
    variant === 'legacy-function' ? placeholderId(++writing.unnamed) : fitCallId(id, maxCallIdLength)
  // Empty text means no arguments.
  return { type: 'function_call', call_id: callId, name, arguments: text.trim() === '' ? '{}' : text }
}

/** The result of a deprecated function belongs to the latest such call. */
function addOutput({ content, toolCallId }: ToolMessage, path: string, writing: Writing): void {
  const callId =
    toolCallId === '' ? placeholderId(Math.max(1, writing.unnamed)) : fitCallId(toolCallId, maxCallIdLength)
  const [only] = content
  const isText = content.length === 1 && only?.kind === 'text'
  writing.items.push({
    type: writing.custom.has(callId) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId,
    output: content.length === 0 ? '' : isText ? only.text : contentOf(content, path),
  })
}

function placeholderId(count: number): string {
  return `call_function_${count}`
}

function contentOf(blocks: readonly ContentBlock[], path: string): Json[] {
  const positions = new Positions(path)
  return blocks.map((block) => partOf(block, positions.of(block)))
}

function partOf(block: ContentBlock, path: string): Json {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return { type: 'input_text', text: block.text }
    case 'image': {
      const { source, detail = 'auto' } = block
      if (source.type === 'file') return { type: 'input_image', file_id: source.fileId, detail }
      return { type: 'input_image', image_url: sourceUrl(source), detail }
    }
    case 'document': {
      const { source, filename } = block
      if (source.type === 'file') return { type: 'input_file', file_id: source.fileId }
      if (source.type === 'url') return { type: 'input_file', file_url: source.url }
      // OpenAI refuses file data without a name.
      return { type: 'input_file', filename: filename ?? 'document.pdf', file_data: sourceUrl(source) }
    }
    case 'audio':
    case 'reasoning':
    case 'tool-call':
    case 'raw':
      throw invalidRequest(path, `${path}: expected text, an image or a file.`)
  }
}
