import type { BlockKind, ReasoningHead, StreamPart, ToolCallHead } from '@turnpike/protocol'
import { isObject, stringOrEmpty } from '../../json/object.ts'
import { reasoningFormat } from '../reasoning-format.ts'
import { billedTypeOf } from './usage.ts'

type Json = Record<string, unknown>

/** Where a reasoning item has its text. A vendor that shows all of it may send both. */
type Thoughts = 'summary' | 'content'

interface OpenBlock {
  block: number
  kind: BlockKind
  /** Some of its text was sent. */
  hasText: boolean
  annotations: unknown[]
}

/** Decodes one item: its start, its pieces, and the complete item for everything that came in no piece. */
export class ItemDecoder {
  readonly type: string
  /** The item as its vendor may bill it, besides tokens. */
  service: unknown
  readonly #number: () => number
  /** The parts of a message by their index. The single block of any other item is at 0. */
  readonly #blocks = new Map<number, OpenBlock>()
  #thoughts: Thoughts | undefined
  /** The index of the current part of the summary or content. */
  #thoughtAt = 0
  #ended = false

  /** @param number returns the next block's number */
  constructor(item: Json, number: () => number) {
    this.type = typeof item['type'] === 'string' ? item['type'] : 'unknown'
    this.service = this.type
    this.#number = number
  }

  start(item: Json, parts: StreamPart[]): void {
    if (this.type === 'reasoning') {
      const { id } = item
      const reasoning: ReasoningHead = { format: reasoningFormat, ...(typeof id === 'string' ? { id } : {}) }
      const block = this.#open(0, 'reasoning')
      parts.push({ type: 'block-start', choice: 0, block, kind: 'reasoning', reasoning })
    } else if (isCall(this.type)) {
      const toolCall: ToolCallHead = {
        id: stringOrEmpty(item['call_id']),
        name: stringOrEmpty(item['name']),
        variant: this.type === 'custom_tool_call' ? 'custom' : 'function',
      }
      const block = this.#open(0, 'tool-call')
      parts.push({ type: 'block-start', choice: 0, block, kind: 'tool-call', toolCall })
    }
  }

  /** A piece of a message's part, with its log probabilities. */
  addText(
    at: number,
    kind: 'text' | 'refusal',
    piece: unknown,
    logprobs: unknown,
    parts: StreamPart[],
  ): void {
    if (this.#ended) return
    const open = this.#part(at, kind, parts)
    const text = stringOrEmpty(piece)
    const extra = Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs: { content: logprobs } } : {}
    if (text === '' && extra.logprobs === undefined) return
    open.hasText = true
    parts.push({ type: 'block-delta', choice: 0, block: open.block, text, ...extra })
  }

  addAnnotation(at: number, annotation: unknown, parts: StreamPart[]): void {
    if (!this.#ended) this.#part(at, 'text', parts).annotations.push(annotation)
  }

  /** A piece of a call's arguments, or of a custom tool's input. */
  addArguments(piece: unknown, parts: StreamPart[]): void {
    if (!this.#ended) this.#grow(piece, parts)
  }

  /** A piece of reasoning. Its parts are separated. */
  addThought(which: Thoughts, at: number, piece: unknown, parts: StreamPart[]): void {
    const text = stringOrEmpty(piece)
    if (this.#ended || text === '' || (this.#thoughts ?? which) !== which) return
    const isNew = this.#thoughts !== undefined && at !== this.#thoughtAt
    this.#thoughts = which
    this.#thoughtAt = at
    this.#grow(isNew ? `\n\n${text}` : text, parts)
  }

  /** The complete item: decodes what came in no piece, and ends its blocks. */
  end(item: Json, parts: StreamPart[]): void {
    if (this.#ended) return
    switch (this.type) {
      case 'message':
        this.#endMessage(item, parts)
        break
      case 'reasoning':
        this.#endReasoning(item, parts)
        break
      case 'function_call':
      case 'custom_tool_call':
        this.#endCall(item, parts)
        break
      default:
        if (item['type'] !== this.type) break
        this.service = billedTypeOf(item)
        tellRaw(this.type, item, this.#number(), parts)
    }
    this.#ended = true
  }

  #endMessage(item: Json, parts: StreamPart[]): void {
    const content = listOf(item['content'])
    for (const [at, part] of content.entries()) {
      const kind = part['type'] === 'refusal' ? 'refusal' : 'text'
      const whole = kind === 'refusal' ? part['refusal'] : part['text']
      const open = this.#blocks.get(at)
      if (open?.hasText !== true) this.addText(at, kind, whole, part['logprobs'], parts)
      const annotations = part['annotations']
      if (Array.isArray(annotations) && annotations.length > 0)
        this.#part(at, kind, parts).annotations = annotations
    }
    for (const { block, annotations } of this.#blocks.values()) {
      parts.push({ type: 'block-end', choice: 0, block })
      if (annotations.length > 0)
        tellRaw('annotations', annotations.map(annotationOfChat), this.#number(), parts)
    }
  }

  #endReasoning(item: Json, parts: StreamPart[]): void {
    if (this.#thoughts === undefined) {
      const content = listOf(item['content'])
      const which = content.length > 0 ? 'content' : 'summary'
      for (const [at, part] of listOf(item[which]).entries()) this.addThought(which, at, part['text'], parts)
    }
    const encrypted = stringOrEmpty(item['encrypted_content'])
    const { block } = this.#blocks.get(0)!
    parts.push({ type: 'block-end', choice: 0, block, ...(encrypted === '' ? {} : { encrypted }) })
  }

  #endCall(item: Json, parts: StreamPart[]): void {
    const open = this.#blocks.get(0)!
    const isCustom = this.type === 'custom_tool_call'
    if (!open.hasText) this.#grow(isCustom ? item['input'] : item['arguments'], parts)
    // Clients parse a call's arguments, so a call without any gets `{}`.
    if (!open.hasText && !isCustom) this.#grow('{}', parts)
    parts.push({ type: 'block-end', choice: 0, block: open.block })
  }

  #part(at: number, kind: 'text' | 'refusal', parts: StreamPart[]): OpenBlock {
    const known = this.#blocks.get(at)
    if (known !== undefined) return known
    const block = this.#open(at, kind)
    parts.push({ type: 'block-start', choice: 0, block, kind })
    return this.#blocks.get(at)!
  }

  #grow(piece: unknown, parts: StreamPart[]): void {
    const open = this.#blocks.get(0)
    const text = stringOrEmpty(piece)
    if (open === undefined || text === '') return
    open.hasText = true
    parts.push({ type: 'block-delta', choice: 0, block: open.block, text })
  }

  #open(at: number, kind: BlockKind): number {
    const block = this.#number()
    this.#blocks.set(at, { block, kind, hasText: false, annotations: [] })
    return block
  }
}

export function isCall(type: unknown): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

function tellRaw(name: string, value: unknown, block: number, parts: StreamPart[]): void {
  parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
  parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
  parts.push({ type: 'block-end', choice: 0, block })
}

/** Converts an annotation to the form of chat completions, which is used internally. */
function annotationOfChat(annotation: unknown): unknown {
  if (!isObject(annotation) || annotation['type'] !== 'url_citation') return annotation
  const { type, ...citation } = annotation
  return { type, url_citation: citation }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
