import type { StreamPart } from '@turnpike/protocol'
import { parsed } from '../../json/parsed.ts'
import { ownText, utf8 } from '../../sse/parser.ts'

/** In JSON these stand for something else, or end the text. */
// oxlint-disable-next-line no-control-regex
const unreadable = /["\\\x00-\x1f]/
/** A stream whose choices change their form again and again is not worth it. */
const mostForms = 8
const textKey = '"text"'

interface Form {
  /** Of the one choice: up to its text, the quotation mark included, and behind it. */
  before: string
  after: string
  choice: number
  block: number
}

/**
 * Most events of an answer differ in their piece of text alone: once one was understood, the others are read
 * by what stands around it, without making objects of them.
 */
export class TextForm {
  #form: Form | undefined
  #formsSeen = 0

  /**
   * @param said an event's choices without their brackets, latin1
   * @param plain true where it is ASCII for sure
   * @returns undefined where it has to be understood first
   */
  read(said: string, plain: boolean): StreamPart | undefined {
    const form = this.#form
    if (form === undefined) return undefined
    const { before, after, choice, block } = form
    const end = said.length - after.length
    // Slices are compared much faster than `startsWith` looks at each character.
    if (end <= before.length || said.slice(0, before.length) !== before || said.slice(end) !== after)
      return undefined
    const text = said.slice(before.length, end)
    if (unreadable.test(text)) return undefined
    return { type: 'block-delta', choice, block, text: plain ? text : utf8(text) }
  }

  /** Learns from an event that was understood: what it means, and whether the form at hand still holds. */
  learn(said: string, parts: readonly StreamPart[]): void {
    this.#form = undefined
    const [part] = parts
    if (part?.type !== 'block-delta' || parts.length > 1 || part.logprobs !== undefined) return
    const key = said.indexOf(textKey)
    const start = said.indexOf('"', key + textKey.length) + 1
    const end = said.indexOf('"', start)
    if (key === -1 || start === 0 || utf8(said.slice(start, end)) !== part.text) return
    if (this.#formsSeen >= mostForms) return
    this.#formsSeen++
    const before = ownText(said.slice(0, start))
    const after = ownText(said.slice(end))
    const { choice, block } = part
    if (isText(before, after, choice)) this.#form = { before, after, choice, block }
  }

  forget(): void {
    this.#form = undefined
  }
}

/** True where another text in its place comes out as the only choice's text. */
function isText(before: string, after: string, index: number): boolean {
  const other = 'other '
  const choices = parsed(utf8(`[${before}${other}${after}]`))
  if (!Array.isArray(choices) || choices.length !== 1) return false
  const { text, index: at = 0 } = choices[0] as { text?: unknown; index?: unknown }
  return text === other && at === index
}
