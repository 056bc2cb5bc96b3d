import type { BlockStart, StreamPart } from '@turnpike/protocol'
import { isObject, stringOrEmpty } from '../../json/object.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'
import { reasoningFormat } from '../reasoning-format.ts'

type Body = Record<string, unknown>
type Kind = 'text' | 'reasoning' | 'tool-call'

/** Decodes one content block. Texts and reasoning begin with their first piece; calls have a start event. */
export class BlockDecoder {
  readonly #number: () => number
  #kind: Kind | undefined
  #block = 0
  #hasArguments = false
  #signature = ''
  #encrypted = ''
  #citations: unknown[] = []
  /** Pieces of a type that is not known here, by their names. */
  readonly #unknown: [name: string, value: unknown][] = []

  /** @param number returns the next block's number */
  constructor(number: () => number) {
    this.#number = number
  }

  /** @param start the content of the start event; an empty object for a block without one */
  start(start: Body, parts: StreamPart[]): void {
    for (const [name, value] of Object.entries(start)) {
      if (name === 'toolUse' && isObject(value)) this.#startCall(value, parts)
      else if (name !== 'toolUse') this.#unknown.push([name, value])
    }
  }

  delta(delta: Body, parts: StreamPart[]): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'text') this.#text('text', value, parts)
      else if (name === 'toolUse') this.#arguments(isObject(value) ? value['input'] : undefined, parts)
      else if (name === 'reasoningContent' && isObject(value)) this.#reasoning(value, parts)
      else if (name === 'citation') this.#citations.push(value)
      else this.#unknown.push([name, value])
    }
  }

  /** Decodes a complete block of a whole answer. */
  whole(block: Body, parts: StreamPart[]): void {
    for (const [name, value] of Object.entries(block)) {
      if (name === 'toolUse' && isObject(value)) {
        this.#startCall(value, parts)
        const { input } = value
        this.#arguments(typeof input === 'string' ? input : JSON.stringify(input ?? {}), parts)
      } else if (name === 'reasoningContent' && isObject(value)) {
        const { reasoningText, ...beside } = value
        this.#reasoning({ ...(isObject(reasoningText) ? reasoningText : {}), ...beside }, parts)
      } else if (name === 'citationsContent' && isObject(value)) this.#addCitations(value, parts)
      else this.delta({ [name]: value }, parts)
    }
    this.stop(parts)
  }

  stop(parts: StreamPart[]): void {
    // A tool without arguments sends none, or an empty text, but callers parse what they get as JSON.
    if (this.#kind === 'tool-call' && !this.#hasArguments) this.#addText('{}', parts)
    if (this.#kind !== undefined) {
      const proof = {
        ...(this.#signature === '' ? {} : { signature: this.#signature }),
        ...(this.#encrypted === '' ? {} : { encrypted: this.#encrypted }),
      }
      parts.push({ type: 'block-end', choice: 0, block: this.#block, ...proof })
    }
    if (this.#citations.length > 0) this.#aside('citations', this.#citations, parts)
    for (const [name, value] of this.#unknown) this.#aside(name, value, parts)
  }

  #startCall({ toolUseId, name }: Body, parts: StreamPart[]): void {
    if (name === answerToolName) return this.#open('tool-call', { kind: 'text', isAnswer: true }, parts)
    const toolCall = { id: stringOrEmpty(toolUseId), name: stringOrEmpty(name), variant: 'function' as const }
    this.#open('tool-call', { kind: 'tool-call', toolCall }, parts)
  }

  #arguments(input: unknown, parts: StreamPart[]): void {
    // Nothing identifies a call that never began, so its pieces are kept under the vendor's name.
    if (this.#kind !== 'tool-call') this.#unknown.push(['toolUse', { input }])
    else if (typeof input === 'string' && input !== '') {
      this.#hasArguments ||= input.trim() !== ''
      this.#addText(input, parts)
    }
  }

  #reasoning(content: Body, parts: StreamPart[]): void {
    this.#begin('reasoning', parts)
    if (this.#kind !== 'reasoning') return void this.#unknown.push(['reasoningContent', content])
    const { text, signature, redactedContent } = content
    if (typeof text === 'string' && text !== '') this.#addText(text, parts)
    this.#signature += stringOrEmpty(signature)
    this.#encrypted += stringOrEmpty(redactedContent)
  }

  #addCitations({ content, citations }: Body, parts: StreamPart[]): void {
    for (const piece of Array.isArray(content) ? (content as unknown[]) : [])
      if (isObject(piece)) this.#text('text', piece['text'], parts)
    if (Array.isArray(citations)) this.#citations.push(...(citations as unknown[]))
  }

  #text(kind: 'text', text: unknown, parts: StreamPart[]): void {
    this.#begin(kind, parts)
    if (this.#kind !== kind) this.#unknown.push([kind, text])
    else if (typeof text === 'string' && text !== '') this.#addText(text, parts)
  }

  #begin(kind: 'text' | 'reasoning', parts: StreamPart[]): void {
    if (this.#kind !== undefined) return
    const head = kind === 'reasoning' ? { kind, reasoning: { format: reasoningFormat } } : { kind }
    this.#open(kind, head, parts)
  }

  #open(kind: Kind, head: Omit<BlockStart, 'type' | 'choice' | 'block'>, parts: StreamPart[]): void {
    this.#kind = kind
    this.#block = this.#number()
    parts.push({ type: 'block-start', choice: 0, block: this.#block, ...head })
  }

  #addText(text: string, parts: StreamPart[]): void {
    parts.push({ type: 'block-delta', choice: 0, block: this.#block, text })
  }

  /** Members of the ended block without an equivalent here become a raw block right after it. */
  #aside(name: string, value: unknown, parts: StreamPart[]): void {
    const block = this.#number()
    parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
    parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
    parts.push({ type: 'block-end', choice: 0, block })
  }
}
