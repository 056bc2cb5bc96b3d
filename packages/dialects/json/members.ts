/** A member of the outermost JSON object: where its text is in the body. */
export interface Member {
  key: string
  /** Offset of the key's opening quote. */
  start: number
  valueStart: number
  /** One past the value's last byte. */
  end: number
}

/**
 * Keeps only the last member of each name, so that the vendor reads the same value as we do, whichever one it
 * would pick. Undefined if no name occurs twice.
 */
export function withoutDuplicates(json: Buffer, members: readonly Member[]): Buffer | undefined {
  const last = new Map(members.map((member) => [member.key, member]))
  if (last.size === members.length) return undefined
  const pieces: Buffer[] = []
  for (const member of members) {
    if (last.get(member.key) !== member) continue
    pieces.push(Buffer.from(pieces.length === 0 ? '{' : ','), json.subarray(member.start, member.end))
  }
  pieces.push(Buffer.from('}'))
  return Buffer.concat(pieces)
}

/**
 * Changes some members and keeps all others byte for byte. A change is the new value as JSON text, or
 * `undefined` to leave the member out. Keys that are missing are added. If a key occurs twice, the last one
 * counts, and only it is kept.
 */
export function withMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | undefined>,
): Buffer {
  const splice = new Splice(json)
  const written: string[] = []
  for (const member of members) {
    const { key, start, end } = member
    if (!changes.has(key)) {
      splice.keep(start, end)
      continue
    }
    const value = changes.get(key)
    if (value === undefined || written.includes(key)) splice.leaveOut()
    else {
      splice.replace(member, value)
      written.push(key)
    }
  }
  for (const [key, value] of changes)
    if (value !== undefined && !written.includes(key)) splice.add(key, value)
  return splice.join()
}

const openBrace = 0x7b
const closeBrace = 0x7d

/** Writes an object from pieces of its old text, as few as possible, and new values. */
class Splice {
  readonly #json: Buffer
  /** New texts, and ranges of the old text as two numbers each. */
  readonly #pieces: (string | number)[] = []
  #bytes = 0
  #isEmpty = true
  /** Where the old text may go on, including its comma; -1 after what it does not contain. */
  #at: number

  constructor(json: Buffer) {
    this.#json = json
    this.#at = json[0] === openBrace ? 0 : -1
    if (this.#at === -1) this.#write('{')
  }

  /** Keeps a member, or its beginning. */
  keep(start: number, end: number): void {
    const from = this.#at === -1 ? start : this.#at
    if (this.#at === -1 && !this.#isEmpty) this.#write(',')
    const pieces = this.#pieces
    if (pieces.at(-1) === from) pieces[pieces.length - 1] = end
    else pieces.push(from, end)
    this.#bytes += end - from
    this.#at = end
    this.#isEmpty = false
  }

  replace({ start, valueStart, end }: Member, value: string): void {
    this.keep(start, valueStart)
    this.#write(value)
    this.#at = end
  }

  leaveOut(): void {
    if (this.#at === 0) this.#write('{')
    this.#at = -1
  }

  /** Adds a member behind all others. */
  add(key: string, value: string): void {
    if (this.#at === 0) this.#write('{')
    if (!this.#isEmpty) this.#write(',')
    this.#write(JSON.stringify(key))
    this.#write(':')
    this.#write(value)
    this.#at = -1
    this.#isEmpty = false
  }

  join(): Buffer {
    const json = this.#json
    if (this.#at > 0 && json[json.length - 1] === closeBrace) this.keep(this.#at, json.length)
    else this.#write(this.#at === 0 ? '{}' : '}')
    const pieces = this.#pieces
    const joined = Buffer.allocUnsafe(this.#bytes)
    let length = 0
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index]!
      if (typeof piece === 'string') length += joined.write(piece, length)
      else length += json.copy(joined, length, piece, pieces[++index] as number)
    }
    // What is not written would be other requests' bytes.
    if (length !== joined.length) throw new Error(`${length} bytes were written instead of ${joined.length}`)
    return joined
  }

  /** Texts stay apart until they are written as bytes: joined strings would have to be flattened for that. */
  #write(text: string): void {
    this.#pieces.push(text)
    this.#bytes += Buffer.byteLength(text)
  }
}
