/*
 * Walks a JSON text without building objects: a list of thousands of vectors costs no allocation per number.
 * Invalid JSON is detected only where a walk reads it. Values that are skipped are not checked.
 */

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** Where a value is: its first byte, and one past its last. */
export interface Span {
  start: number
  end: number
}

export class NoJson extends Error {
  override readonly name = 'NoJson'
}

/** Visits each member of the object that begins at `start`. Returns one past its end. */
export function walkObject(json: Buffer, start: number, visit: (name: string, value: Span) => void): number {
  let at = skipSpace(json, expectByte(json, start, openBrace))
  if (json[at] === closeBrace) return at + 1
  for (;;) {
    const nameEnd = endOfString(json, at)
    const name = json.toString('utf8', at + 1, nameEnd - 1)
    const value = valueAt(json, expectByte(json, skipSpace(json, nameEnd), colon))
    visit(name, value)
    at = skipSpace(json, value.end)
    if (json[at] === closeBrace) return at + 1
    at = skipSpace(json, expectByte(json, at, comma))
  }
}

/** Visits each element of the list that begins at `start`. Returns one past its end. */
export function walkList(json: Buffer, start: number, visit: (value: Span) => void): number {
  let at = skipSpace(json, expectByte(json, start, openBracket))
  if (json[at] === closeBracket) return at + 1
  for (;;) {
    const value = valueAt(json, at)
    visit(value)
    at = skipSpace(json, value.end)
    if (json[at] === closeBracket) return at + 1
    at = expectByte(json, at, comma)
  }
}

/** The value at this place, after any white space. */
export function valueAt(json: Buffer, from: number): Span {
  const start = skipSpace(json, from)
  return { start, end: endOfValue(json, start) }
}

function endOfValue(json: Buffer, start: number): number {
  switch (json[start]) {
    case quote:
      return endOfString(json, start)
    case openBracket:
      return endOfNumbers(json, start) ?? endOfContainer(json, start)
    case openBrace:
      return endOfContainer(json, start)
    default:
      return endOfPlain(json, start)
  }
}

/** A list of numbers ends at its first closing bracket, which the engine's native search finds. */
function endOfNumbers(json: Buffer, start: number): number | undefined {
  const first = json[skipSpace(json, start + 1)]
  if (first === undefined || !isOfNumber(first)) return undefined
  const end = json.indexOf(closeBracket, start)
  if (end === -1) throw new NoJson()
  return end + 1
}

function endOfContainer(json: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const byte = json[at]!
    if (byte === quote) at = endOfString(json, at) - 1
    else if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at + 1
  }
  throw new NoJson()
}

function endOfPlain(json: Buffer, start: number): number {
  let at = start
  while (at < json.length && isOfPlain(json[at]!)) at++
  if (at === start) throw new NoJson()
  return at
}

function endOfString(json: Buffer, start: number): number {
  let at = expectByte(json, start, quote)
  for (;;) {
    const end = json.indexOf(quote, at)
    if (end === -1) throw new NoJson()
    let slashes = 0
    while (end - slashes - 1 >= at && json[end - slashes - 1] === backslash) slashes++
    at = end + 1
    if (slashes % 2 === 0) return at
  }
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d
}

/** Numbers, `true`, `false` and `null`. */
function isOfPlain(byte: number): boolean {
  return isOfNumber(byte) || byte === 0x2e || byte === 0x2b || (byte >= 0x41 && byte <= 0x7a)
}

function expectByte(json: Buffer, at: number, byte: number): number {
  if (json[at] !== byte) throw new NoJson()
  return at + 1
}

/** The first place from here on that is not white space. */
export function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++
  return at
}
