import type { StreamPart } from '@turnpike/protocol'
import { asBytes, ownText, utf8 } from '../../sse/parser.ts'

/** What may follow the choices of a chunk without changing what it means. */
const plainTail = /^(?:,"usage":null)?(?:,"obfuscation":"\w*")?\}$/
/** In JSON these stand for something else, or are none. */
// oxlint-disable-next-line no-control-regex
const unreadable = /[\\\x00-\x1f]/
/** A stream whose chunks change their form again and again is not worth it. */
const mostForms = 8

interface Around {
  field: 'content' | 'reasoning_content'
  /** From the choices up to the text, its quotation mark included. */
  before: string
  /** From the quotation mark behind the text to the end of the choices. */
  after: string
}

interface Form extends Around {
  choice: number
  block: number
}

/** A chunk that is known to say a piece of text, and nothing else. */
export interface TextChunk {
  part: StreamPart
  /** What follows its choices. */
  tail: string
}

/**
 * Most chunks of an answer differ in their piece of text alone: once one was understood, the others are read
 * by what stands around it, without making objects of them.
 */
export class TextChunks {
  #form: Form | undefined
  #formsSeen = 0

  /**
   * @param rest a chunk from its choices on, latin1
   * @param plain true where it is ASCII for sure
   * @returns undefined where it has to be understood first
   */
  read(rest: string, plain: boolean): TextChunk | undefined {
    const form = this.#form
    if (form === undefined) return undefined
    const start = form.before.length
    const end = rest.indexOf('"', start)
    const tailStart = end + form.after.length
    // Slices are compared much faster than `startsWith` looks at each character.
    const known = rest.slice(0, start) === form.before && rest.slice(end, tailStart) === form.after
    if (!known || end === start) return undefined
    const tail = rest.slice(tailStart)
    const text = rest.slice(start, end)
    if ((tail !== '}' && !plainTail.test(tail)) || unreadable.test(text)) return undefined
    const { choice, block } = form
    return { part: { type: 'block-delta', choice, block, text: plain ? text : utf8(text) }, tail }
  }

  /** Learns from a chunk that was understood: what it means, and whether the form at hand still holds. */
  learn(rest: string, parts: readonly StreamPart[]): void {
    const [part] = parts
    if (part?.type !== 'block-delta' || parts.length > 1) {
      this.#form = undefined
      return
    }
    const { choice, block } = part
    if (this.#form?.choice === choice && this.#form.block === block) return
    this.#form = undefined
    const around = this.#formsSeen < mostForms ? textIn(rest, part.text) : undefined
    if (around === undefined) return
    this.#formsSeen++
    if (isText(around, part.text)) this.#form = { ...around, choice, block }
  }

  forget(): void {
    this.#form = undefined
  }
}

/** What stands around a text that seems to be the chunk's. */
function textIn(rest: string, text: string): Around | undefined {
  for (const field of ['content', 'reasoning_content'] as const) {
    const key = `"${field}":"`
    const start = rest.indexOf(key) + key.length
    const end = rest.indexOf('"', start)
    if (start < key.length || utf8(rest.slice(start, end)) !== text) continue
    const before = ownText(rest.slice(0, start))
    return { field, before, after: ownText(rest.slice(end, rest.lastIndexOf(']') + 1)) }
  }
  return undefined
}

/** True where another text in its place comes out as the only choice's text. */
function isText({ field, before, after }: Around, text: string): boolean {
  const other = `${text} `
  try {
    const choices = JSON.parse(utf8(before + asBytes(other) + after)) as { delta?: Record<string, unknown> }[]
    return choices.length === 1 && choices[0]?.delta?.[field] === other
  } catch {
    // What ends with the last bracket is more than the choices.
    return false
  }
}
