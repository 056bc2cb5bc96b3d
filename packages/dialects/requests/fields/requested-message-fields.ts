import type { ContentBlock, Message, RawFormat } from '@turnpike/protocol'
import { isTextDocument } from '../text-documents.ts'
import type { FieldVisitor, RequestField } from './field-table.ts'

/** Visits each field of one message, with its path as the caller wrote it. */
export function visitMessage(message: Message, index: number, visit: FieldVisitor): void {
  const path = `messages[${index}]`
  visitHead(message, path, visit)
  const positions = new Positions(path)
  for (const block of message.content) {
    const at = positions.of(block)
    visitBlock(block, message.role, at, visit)
    if ('cache' in block && block.cache !== undefined)
      visit('messages.cache_control', () => `${at}.cache_control`)
  }
}

function visitHead(message: Message, path: string, visit: FieldVisitor): void {
  if (message.role === 'system' || message.role === 'developer') {
    visit(`messages.${message.role}`, () => `${path}.role`)
  }
  if (message.role !== 'tool') {
    if (message.name !== undefined) visit('messages.name', () => `${path}.name`)
    return
  }
  // A result of the deprecated functions names its function; a tool's result names its call.
  const legacy = message.toolCallId === ''
  visit(legacy ? 'messages.function_call' : 'messages.tool', () => `${path}.role`)
  if (message.failed === true) visit('messages.tool.is_error', () => `${path}.is_error`)
}

/**
 * Maps each block of a message to its path in the caller's body. An assistant's message has reasoning and
 * refusal first, then its content, then its calls, each in a field of its own.
 */
export class Positions {
  readonly #path: string
  #parts = 0
  #calls = 0

  constructor(path: string) {
    this.#path = path
  }

  of(block: ContentBlock): string {
    switch (block.kind) {
      case 'reasoning':
        return this.#path
      case 'refusal':
        return this.#parts === 0 ? this.#path : `${this.#path}.content[${this.#parts++}]`
      case 'tool-call':
        if (block.variant === 'legacy-function') return this.#path
        return `${this.#path}.tool_calls[${this.#calls++}]`
      case 'text':
      case 'image':
      case 'audio':
      case 'document':
      case 'raw':
        return `${this.#path}.content[${this.#parts++}]`
    }
  }
}

function visitBlock(block: ContentBlock, role: Message['role'], at: string, visit: FieldVisitor): void {
  switch (block.kind) {
    case 'text':
      visit('messages.text', () => `${at}.text`)
      if (block.extensions !== undefined) visit('messages.text.citations', () => `${at}.citations`)
      return
    case 'refusal':
      return visit('messages.refusal', () => `${at}.refusal`)
    case 'image': {
      visit(role === 'tool' ? 'messages.tool.image_url' : 'messages.image_url', () => `${at}.image_url`)
      if (block.source.type === 'file') visit('messages.file.file_id', () => `${at}.image_url`)
      const detailed = block.detail !== undefined && block.detail !== 'auto'
      if (detailed) visit('messages.image_url.detail', () => `${at}.image_url.detail`)
      return
    }
    case 'audio':
      return visit('messages.input_audio', () => `${at}.input_audio`)
    case 'document':
      visit(isTextDocument(block) ? 'messages.file.text' : 'messages.file', () => `${at}.file`)
      if (block.source.type === 'file') visit('messages.file.file_id', () => `${at}.file.file_id`)
      return visitDocument(block, at, visit)
    case 'reasoning': {
      const field = isPlainReasoning(block) ? 'reasoning_content' : 'reasoning_details'
      return visit(`messages.${field}`, () => `${at}.${field}`)
    }
    case 'tool-call':
      return visit(callFields[block.variant], () =>
        block.variant === 'legacy-function' ? `${at}.function_call` : at,
      )
    case 'raw':
      return visit(rawPartFields[block.format ?? 'openai-chat'], () => at)
  }
}

const rawPartFields: Record<RawFormat | 'openai-chat', RequestField> = {
  'openai-chat': 'messages.unknown_part',
  'anthropic-messages': 'messages.foreign_part',
  'openai-responses': 'messages.responses_item',
  'google-generate': 'messages.google_part',
}

function visitDocument(
  { extensions }: Extract<ContentBlock, { kind: 'document' }>,
  at: string,
  visit: FieldVisitor,
): void {
  const { citations, context } = extensions ?? {}
  if ((citations as { enabled?: unknown } | undefined)?.enabled === true)
    visit('messages.file.citations', () => `${at}.citations`)
  if (typeof context === 'string' && context !== '') visit('messages.file.context', () => `${at}.context`)
}

const callFields: Record<Extract<ContentBlock, { kind: 'tool-call' }>['variant'], RequestField> = {
  function: 'messages.tool_calls',
  custom: 'messages.tool_calls.custom',
  'legacy-function': 'messages.function_call',
}

/** Whether any client could have written the text: nothing in it is signed or hidden. */
function isPlainReasoning(block: Extract<ContentBlock, { kind: 'reasoning' }>): boolean {
  return block.format === undefined && block.signature === undefined && block.encrypted === undefined
}
