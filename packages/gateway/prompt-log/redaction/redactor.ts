import { blobMark } from '../blobs.ts'
import { withoutCards } from './cards.ts'
import { encodings } from './encodings.ts'
import { replacerOf, type OwnPattern } from './own-patterns.ts'
import { secretMember, shapes } from './shapes.ts'

/** How deeply to look into encodings within encodings, and JSON within strings. */
const deepestText = 3
/** Deeper values are left out: no real request is this deep. */
const deepestValue = 100
const longestJsonText = 1024 * 1024

/** How many were redacted, by kind. */
export type Redactions = Record<string, number>

/** Removes secrets and personal data from requests and answers before they are kept. */
export class Redactor {
  readonly #own: readonly { name: string; replace: ReturnType<typeof replacerOf> }[]
  #counts: Redactions = {}

  /** @param own the operator's patterns, in addition to the built-in ones */
  constructor(own: readonly OwnPattern[] = []) {
    this.#own = own.map(({ name, pattern }) => ({ name, replace: replacerOf(pattern) }))
  }

  /** Returns the counts since the last call. */
  takeCounts(): Redactions {
    const counts = this.#counts
    this.#counts = {}
    return counts
  }

  /** A JSON value with all its strings and names redacted, and media replaced by their size. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#whole(value)
    if (typeof value === 'number') return this.#number(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= deepestValue) return '[deeper values left out]'
    if (Array.isArray(value))
      return isVector(value) ? vectorMark(value) : value.map((one) => this.value(one, depth + 1))
    const members: [string, unknown][] = []
    for (const [name, item] of Object.entries(value)) {
      const isSecret = typeof item === 'string' && item !== '' && secretMember.test(name)
      members.push([this.text(name), isSecret ? this.#mark('credential') : this.value(item, depth + 1)])
    }
    return Object.fromEntries(members)
  }

  text(text: string, depth = 0): string {
    let clean = text
    for (const { name, hints, pattern } of shapes) {
      if (hints !== undefined && !hints.some((hint) => clean.includes(hint))) continue
      clean = clean.replace(pattern, (...found: unknown[]) => {
        const groups = found.at(-1) as { keep?: string; after?: string } | string
        const { keep = '', after = '' } = typeof groups === 'string' ? {} : groups
        return keep + this.#mark(name) + after
      })
    }
    clean = withoutCards(clean, () => this.#mark('card'))
    for (const { name, replace } of this.#own) clean = replace(clean, () => this.#mark(name))
    if (depth >= deepestText) return clean
    for (const { hint, runs, decode } of encodings) {
      if (hint !== undefined && !clean.includes(hint)) continue
      clean = clean.replace(runs, (run) => this.#redactEncoded(run, decode(run), depth))
    }
    return clean
  }

  /** Redacts the whole run if it contains a secret once decoded. */
  #redactEncoded(run: string, decoded: string | undefined, depth: number): string {
    if (decoded === undefined || decoded === run) return run
    const before = this.#counts
    this.#counts = {}
    this.text(decoded, depth + 1)
    const [name] = Object.keys(this.#counts)
    this.#counts = before
    return name === undefined ? run : this.#mark(name)
  }

  #whole(text: string): string {
    const blob = blobMark(text)
    if (blob !== undefined) return blob
    if (text.length <= longestJsonText && /^\s*[[{]/.test(text)) return this.#json(text)
    return this.text(text)
  }

  /** JSON within a string, such as tool arguments: its member names show what is secret. */
  #json(text: string): string {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // It only looks like JSON, so it is treated like other text.
      return this.text(text)
    }
    const before = JSON.stringify(value)
    const after = JSON.stringify(this.value(value))
    return this.text(before === after ? text : after)
  }

  #number(value: number): unknown {
    const text = String(value)
    if (text.length < 13) return value
    const clean = this.text(text)
    return clean === text ? value : clean
  }

  #mark(name: string): string {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1
    return `[redacted:${name}]`
  }
}

/** Vectors are long, and mean nothing to a reader. */
const shortestVector = 16

function isVector(list: readonly unknown[]): boolean {
  return list.length >= shortestVector && list.every((item) => typeof item === 'number')
}

function vectorMark(list: readonly unknown[]): string {
  return `[${list.length} numbers left out]`
}
