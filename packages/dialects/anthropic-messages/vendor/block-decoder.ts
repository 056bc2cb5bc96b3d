import type { BlockStart, StreamPart } from '@turnpike/protocol'
import { reasoningFormat } from '../reasoning-format.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'

/** A content block as it is in a message or, in a stream, at its start. */
export interface RawBlock {
  type?: unknown
  [field: string]: unknown
}

/** Decodes a content block: its start, its pieces, its end. A whole block has its content at the start. */
export class BlockDecoder {
  readonly #raw: RawBlock
  readonly #number: () => number
  #block = 0
  /** Arguments of a tool, or the input of a block without an equivalent here. */
  #json = ''
  #signature = ''
  #citations: unknown[] = []
  /** Pieces of a type that is not known here. */
  readonly #unknown: Record<string, unknown>[] = []

  /** @param number returns the next block's number */
  constructor(raw: RawBlock, number: () => number) {
    this.#raw = raw
    this.#number = number
  }

  start(parts: StreamPart[]): void {
    const raw = this.#raw
    switch (raw.type) {
      case 'text':
        this.#start({ kind: 'text' }, parts)
        this.#text(raw['text'], parts)
        if (Array.isArray(raw['citations'])) this.#citations = [...(raw['citations'] as unknown[])]
        return
      case 'thinking':
        this.#start({ kind: 'reasoning', reasoning: { format: reasoningFormat } }, parts)
        this.#text(raw['thinking'], parts)
        this.#signature = textOf(raw['signature']) ?? ''
        return
      case 'redacted_thinking':
        return this.#start({ kind: 'reasoning', reasoning: { format: reasoningFormat } }, parts)
      case 'tool_use': {
        if (raw['name'] === answerToolName) return this.#start({ kind: 'text', isAnswer: true }, parts)
        const toolCall = {
          id: textOf(raw['id']) ?? '',
          name: textOf(raw['name']) ?? '',
          variant: 'function' as const,
        }
        return this.#start({ kind: 'tool-call', toolCall }, parts)
      }
      default:
        this.#start({ kind: 'raw', name: textOf(raw.type) ?? 'unknown' }, parts)
    }
  }

  delta(delta: Record<string, unknown>, parts: StreamPart[]): void {
    const kind = this.#raw.type
    const { type } = delta
    if (type === 'input_json_delta') {
      const piece = textOf(delta['partial_json']) ?? ''
      this.#json += piece
      if (kind === 'tool_use') this.#text(piece, parts)
    } else if (kind === 'text' && type === 'text_delta') this.#text(delta['text'], parts)
    else if (kind === 'text' && type === 'citations_delta') this.#citations.push(delta['citation'])
    else if (kind === 'thinking' && type === 'thinking_delta') this.#text(delta['thinking'], parts)
    else if (kind === 'thinking' && type === 'signature_delta') {
      this.#signature += textOf(delta['signature']) ?? ''
    } else this.#unknown.push(delta)
  }

  stop(parts: StreamPart[]): void {
    const raw = this.#raw
    switch (raw.type) {
      case 'text':
        this.#end({}, parts)
        if (this.#citations.length > 0) this.#aside('citations', this.#citations, parts)
        break
      case 'thinking':
        this.#end(this.#signature === '' ? {} : { signature: this.#signature }, parts)
        break
      case 'redacted_thinking':
        this.#end({ encrypted: textOf(raw['data']) ?? '' }, parts)
        break
      case 'tool_use':
        // A tool without arguments sends no piece at all, but callers parse what they get as JSON.
        if (this.#json.trim() === '') this.#text(inputText(raw['input']), parts)
        this.#end({}, parts)
        break
      default:
        return this.#endRaw(parts)
    }
    for (const delta of this.#unknown) this.#aside(textOf(delta['type']) ?? 'unknown', delta, parts)
  }

  /** A block without an equivalent here is kept complete, as in a message that is not streamed. */
  #endRaw(parts: StreamPart[]): void {
    const value: Record<string, unknown> = { ...this.#raw }
    if (this.#json !== '') value['input'] = parseOrText(this.#json)
    for (const { type: _type, ...pieces } of this.#unknown) {
      for (const [field, piece] of Object.entries(pieces)) {
        const before = value[field]
        value[field] = typeof before === 'string' && typeof piece === 'string' ? before + piece : piece
      }
    }
    parts.push({ type: 'block-delta', choice: 0, block: this.#block, text: '', value })
    this.#end({}, parts)
  }

  #start(head: Omit<BlockStart, 'type' | 'choice' | 'block'>, parts: StreamPart[]): void {
    this.#block = this.#number()
    parts.push({ type: 'block-start', choice: 0, block: this.#block, ...head })
  }

  #text(text: unknown, parts: StreamPart[]): void {
    if (typeof text !== 'string' || text === '') return
    parts.push({ type: 'block-delta', choice: 0, block: this.#block, text })
  }

  #end(proof: { signature?: string; encrypted?: string }, parts: StreamPart[]): void {
    parts.push({ type: 'block-end', choice: 0, block: this.#block, ...proof })
  }

  /** Members of the ended block without an equivalent here become a raw block right after it. */
  #aside(name: string, value: unknown, parts: StreamPart[]): void {
    const block = this.#number()
    parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
    parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
    parts.push({ type: 'block-end', choice: 0, block })
  }
}

/** Other vendors of this format write an empty text if there are no arguments, or the arguments as text. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input.trim() || '{}'
  return JSON.stringify(input ?? {})
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parseOrText(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    // The vendor called its own tool with incomplete JSON, which is kept unchanged.
    return json
  }
}
