import type { BlockDelta, StreamPart, Usage, UsagePart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { setSearches } from '../../answers/paid-services.ts'
import type { Member } from '../../json/members.ts'
import { parsed } from '../../json/parsed.ts'
import { scanObject } from '../../json/scan.ts'
import { ownText, utf8 } from '../../sse/parser.ts'
import { parseUsage } from './usage.ts'

/** A stream whose answers change their form again and again is not worth it. */
const mostForms = 8
/** In JSON these stand for something else, or are none. */
// oxlint-disable-next-line no-control-regex
const unreadable = /[\\\x00-\x1f"]/
const textKey = /"text"\s*:\s*"/
/** The members of an answer that says a piece of text and no more. */
const members: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId'])

/** What stands around the text of an answer, latin1. */
interface Form {
  /** Up to the text, its quotation mark included. */
  before: string
  /** From the quotation mark behind it to the usage; to the end where there is none. */
  after: string
  /** Where in `after` the candidates end. */
  candidatesEnd: number
  /** Behind the usage; undefined where there is none. */
  tail: string | undefined
  choice: number
  block: number
}

/**
 * Most answers of a stream differ in their piece of text and their usage alone: once one was understood, the
 * others are read by what stands around these, without making objects of them.
 */
export class TextAnswers {
  #form: Form | undefined
  #formsSeen = 0
  /** Where the candidates end in the answer that was read last. */
  candidatesEnd = 0

  /**
   * @param data latin1
   * @param plain true where it is ASCII for sure
   * @param searches that earlier answers told of
   * @returns undefined where it has to be understood first
   */
  read(data: string, plain: boolean, searches: number): StreamPart[] | undefined {
    const form = this.#form
    if (form === undefined) return undefined
    const start = form.before.length
    // Slices are compared much faster than `startsWith` looks at each character.
    if (data.slice(0, start) !== form.before) return undefined
    const end = textEnd(data, start, form.after)
    if (end <= start) return undefined
    const usageStart = end + form.after.length
    const usageEnd = data.length - (form.tail?.length ?? 0)
    if (form.tail === undefined ? usageStart !== usageEnd : data.slice(usageEnd) !== form.tail)
      return undefined
    const text = textOf(data.slice(start, end), plain)
    if (text === undefined) return undefined
    const delta: BlockDelta = { type: 'block-delta', choice: form.choice, block: form.block, text }
    this.candidatesEnd = end + form.candidatesEnd
    if (form.tail === undefined) return [delta]
    if (!isOneObject(data, usageStart, usageEnd)) return undefined
    return [new LaterUsage(data.slice(usageStart, usageEnd), searches), delta]
  }

  /** Learns from an answer that was understood: what it means, and how the next ones may look. */
  learn(data: string, body: unknown, parts: readonly StreamPart[]): void {
    this.#form = undefined
    const deltas = parts.filter(({ type }) => type !== 'usage')
    const [delta] = deltas
    if (deltas.length !== 1 || delta?.type !== 'block-delta' || this.#formsSeen >= mostForms) return
    if (delta.value !== undefined || delta.logprobs !== undefined || !isTextAlone(body)) return
    this.#formsSeen++
    this.#form = formOf(data, delta)
  }
}

/** Where the text ends; -1 where that is not followed by what is expected. */
function textEnd(data: string, start: number, after: string): number {
  const quote = data.indexOf('"', start)
  // Else it is one within the text.
  return data.slice(quote, quote + after.length) === after ? quote : data.indexOf(after, start)
}

/** Whether an answer has one candidate, which says one text and goes on. */
function isTextAlone(body: unknown): boolean {
  if (!isObject(body)) return false
  for (const name in body) if (!members.has(name)) return false
  const { candidates } = body
  if (!Array.isArray(candidates) || candidates.length !== 1 || !isObject(candidates[0])) return false
  const { finishReason, content } = candidates[0]
  const parts = isObject(content) ? content['parts'] : undefined
  if ((finishReason ?? undefined) !== undefined || !Array.isArray(parts) || parts.length !== 1) return false
  return isObject(parts[0]) && Object.keys(parts[0]).every((name) => name === 'text' || name === 'thought')
}

function formOf(data: string, { choice, block, text }: BlockDelta): Form | undefined {
  const { members: found } = scanObject(Buffer.from(data, 'latin1'))
  const candidates = onlyOf(found, 'candidates')
  const usage = onlyOf(found, 'usageMetadata')
  if (candidates === undefined) return undefined
  const key = textKey.exec(data.slice(candidates.valueStart, candidates.end))
  if (key === null) return undefined
  const start = candidates.valueStart + key.index + key[0].length
  const end = stringEnd(data, start)
  const afterEnd = usage?.valueStart ?? data.length
  if (textOf(data.slice(start, end), false) !== text || afterEnd < candidates.end) return undefined
  const form: Form = {
    before: ownText(data.slice(0, start)),
    after: ownText(data.slice(end, afterEnd)),
    candidatesEnd: candidates.end - end,
    tail: usage === undefined ? undefined : ownText(data.slice(usage.end)),
    choice,
    block,
  }
  return holds(form, `${text} `) ? form : undefined
}

/** Undefined where it is not there, or several times. */
function onlyOf(found: readonly Member[], key: string): Member | undefined {
  const all = found.filter((member) => member.key === key)
  return all.length === 1 ? all[0] : undefined
}

/** True where another text in its place comes out as the text of the only part. */
function holds({ before, after, tail }: Form, text: string): boolean {
  const written = JSON.stringify(text).slice(1, -1)
  const usage = tail === undefined ? '' : `{}${tail}`
  const body = parsed(utf8(before) + written + utf8(after + usage))
  if (!isTextAlone(body)) return false
  const { candidates } = body as { candidates: [{ content: { parts: [{ text: unknown }] } }] }
  return candidates[0].content.parts[0].text === text
}

/** The text that stands between the quotation marks; undefined where that is none. */
function textOf(latin1: string, plain: boolean): string | undefined {
  const said = plain ? latin1 : utf8(latin1)
  if (!unreadable.test(said)) return said
  const text = parsed(`"${said}"`)
  return typeof text === 'string' ? text : undefined
}

/** Where the string ends that begins before this place. */
function stringEnd(data: string, start: number): number {
  let at = start
  while (at < data.length && data[at] !== '"') at += data[at] === '\\' ? 2 : 1
  return at
}

const openBrace = 0x7b
const closeBrace = 0x7d

/** Whether one object stands there, and nothing else: its braces are even at its end alone. */
function isOneObject(data: string, start: number, end: number): boolean {
  // Of nearly all usage no member follows an object: a search is much faster than the walk.
  const follows = data.indexOf('},', start)
  if (follows === -1 || follows >= end)
    return data.charCodeAt(start) === openBrace && data.charCodeAt(end - 1) === closeBrace
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code === openBrace) depth++
    else if (code === closeBrace && --depth === 0) return at === end - 1
    else if (depth === 0) return false
  }
  return false
}

/** A stream's usage so far, which is read when somebody asks for it: only the last one counts. */
class LaterUsage implements UsagePart {
  readonly type = 'usage'
  readonly #json: string
  readonly #searches: number
  #usage: Usage | undefined

  constructor(json: string, searches: number) {
    this.#json = json
    this.#searches = searches
  }

  get usage(): Usage {
    return (this.#usage ??= this.#read())
  }

  #read(): Usage {
    const raw = parsed(utf8(this.#json))
    const usage = parseUsage(raw) ?? { raw, disbelieved: 'implausible' as const }
    if (this.#searches > 0) setSearches(usage, this.#searches)
    return usage
  }
}
