/** Names of members that the gateway acts on, and of the members within them. */
export interface NameTree {
  readonly [name: string]: NameTree | true
}

/** Members whose contents the gateway does not act on. */
export function leaves<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, true>> {
  return Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>
}

/** A member that the gateway acts on. */
export interface KnownName {
  readonly name: string
  /** Its index among all known names. */
  readonly index: number
  /** The members of its object, or of the objects in its list, that the gateway acts on as well. */
  below: Names | undefined
}

interface Entry extends KnownName {
  readonly hash: number
  readonly bytes: Buffer
}

/** A letter with every byte escaped, such as `\u006d`. */
const mostBytesALetter = 6
const leastSlots = 16

let known = 0

/** How many known names there are, in all kinds of objects together. */
export function countKnownNames(): number {
  return known
}

/**
 * The names of one kind of object. Finding a name from its bytes takes some 10 ns, because this runs for each
 * member of each message before anything is parsed.
 */
export class Names {
  readonly #byText = new Map<string, Entry>()
  readonly #byFold = new Map<string, string>()
  #slots: (Entry | undefined)[] = []
  #mostBytes = 0

  constructor(tree: NameTree) {
    this.add(tree)
  }

  add(tree: NameTree): void {
    for (const [name, below] of Object.entries(tree)) {
      const entry = this.#byText.get(name) ?? this.#new(name)
      if (below === true) continue
      if (entry.below === undefined) entry.below = new Names(below)
      else entry.below.add(below)
    }
    this.#fillSlots()
  }

  /** The name with these bytes, without its quotes. Undefined for other names, and for names with escapes. */
  at(json: Buffer, start: number, end: number): KnownName | undefined {
    if (end - start > this.#mostBytes) return undefined
    const hash = hashOf(json, start, end)
    const entry = this.#slots[hash & (this.#slots.length - 1)]
    if (entry === undefined || entry.hash !== hash || entry.bytes.length !== end - start) return undefined
    for (let at = start; at < end; at++) if (json[at] !== entry.bytes[at - start]) return undefined
    return entry
  }

  /** Whether this is longer than any of the names, and than any name that could be confused with one. */
  tooLong(bytes: number): boolean {
    return bytes > this.#mostBytes * mostBytesALetter
  }

  find(text: string): KnownName | undefined {
    return this.#byText.get(text)
  }

  /** The name of ours that some JSON readers would take this one for. */
  findConfusable(text: string): string | undefined {
    const name = this.#byFold.get(foldName(text))
    return name === text ? undefined : name
  }

  #new(name: string): Entry {
    const bytes = Buffer.from(name)
    const entry = { name, index: known++, below: undefined, bytes, hash: hashOf(bytes, 0, bytes.length) }
    this.#byText.set(name, entry)
    this.#byFold.set(foldName(name), name)
    this.#mostBytes = Math.max(this.#mostBytes, bytes.length)
    return entry
  }

  /** Adds slots until each name has one of its own. */
  #fillSlots(): void {
    for (let size = leastSlots; ; size *= 2) {
      const slots = Array.from({ length: size }, (): Entry | undefined => undefined)
      for (const entry of this.#byText.values()) slots[entry.hash & (size - 1)] = entry
      this.#slots = slots
      if (slots.filter((entry) => entry !== undefined).length === this.#byText.size) return
    }
  }
}

function hashOf(json: Buffer, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + json[at]!) | 0
  return hash
}

/**
 * The name as case-insensitive readers see it, in any language. Go's `encoding/json` folds letters as Unicode
 * does (the Kelvin sign is a k, the long s an s). Java's and C#'s readers go by the capital letter (a dotless
 * i is an I). Protobuf's accepts `maxTokens` for `max_tokens`.
 */
function foldName(name: string): string {
  const letters = name.toUpperCase().toLowerCase()
  return special.test(letters) ? letters.replaceAll('\u0307', '').replaceAll(separator, '') : letters
}

/** Lower-casing a capital dotted I leaves its dot behind as a combining character. */
const special = /[\u0307_-]/
const separator = /(?<=.)[_-](?=.)/g
