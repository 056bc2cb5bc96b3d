/** Names of members that the gateway acts on, and of those within them. */
export interface NameTree {
  readonly [name: string]: NameTree | true
}

/** Members of which nothing within is acted on. */
export function leaves<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, true>> {
  return Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>
}

/** One member that is acted on. */
export interface KnownName {
  readonly name: string
  /** Which of all known names it is. */
  readonly index: number
  /** The members of its object, or of the objects in its list, that are acted on as well. */
  below: Names | undefined
}

interface Entry extends KnownName {
  readonly hash: number
  readonly bytes: Buffer
}

/** Every byte of a letter escaped, as in `\u006d`. */
const mostBytesALetter = 6
const leastSlots = 16

let known = 0

/** How many known names there are, of all objects together. */
export function countKnownNames(): number {
  return known
}

/**
 * The names of one kind of object. A name is found from its bytes in some 10 ns, since this is done for each
 * member of each message, before anything is parsed.
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

  /** The name whose bytes stand there, without its quotes; undefined for another, or one with escapes. */
  at(json: Buffer, start: number, end: number): KnownName | undefined {
    if (end - start > this.#mostBytes) return undefined
    const hash = hashOf(json, start, end)
    const entry = this.#slots[hash & (this.#slots.length - 1)]
    if (entry === undefined || entry.hash !== hash || entry.bytes.length !== end - start) return undefined
    for (let at = start; at < end; at++) if (json[at] !== entry.bytes[at - start]) return undefined
    return entry
  }

  /** Whether so many bytes are too many for a name of these, and any that is taken for one. */
  tooLong(bytes: number): boolean {
    return bytes > this.#mostBytes * mostBytesALetter
  }

  find(text: string): KnownName | undefined {
    return this.#byText.get(text)
  }

  /** The name of ours that some readers of JSON would take this one for. */
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

  /** As many slots as it takes for each name to have one of its own. */
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
 * What the name is to a reader that does not mind its case, of whatever language: Go's `encoding/json` folds
 * letters as Unicode does (the Kelvin sign is a k, the long s an s), Java's and C#'s readers by way of the
 * capital letter (a dotless i is an I). Protobuf's takes `maxTokens` for `max_tokens`.
 */
function foldName(name: string): string {
  const letters = name.toUpperCase().toLowerCase()
  return special.test(letters) ? letters.replaceAll('\u0307', '').replaceAll(separator, '') : letters
}

/** The dot of a capital dotted i stays behind where that becomes a small letter. */
const special = /[\u0307_-]/
const separator = /(?<=.)[_-](?=.)/g
