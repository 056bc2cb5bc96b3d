/** One member of the outermost JSON object: where its text stands in the body. */
export interface Member {
  key: string
  /** Offset of the key's opening quote. */
  start: number
  valueStart: number
  /** One past the value's last byte. */
  end: number
}

export interface ObjectScan {
  members: Member[]
  /** The deepest nesting of arrays and objects, the outermost object being 1. */
  depth: number
  /** The member that nests deepest. */
  deepestKey: string | undefined
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** From here on a string's end is searched by the engine's own search, as for an image in base64. */
const longString = 64

/**
 * Finds the members of the outermost object of a JSON text, without building anything of their values.
 * The text must be valid JSON (it was parsed before) with an object outermost.
 */
export function scanObject(json: Buffer): ObjectScan {
  const members: Member[] = []
  let depth = 0
  let deepest = 0
  let deepestKey: string | undefined
  let member: Member | undefined
  let expectsKey = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte > colon && byte < openBracket) continue
    switch (byte) {
      case quote: {
        const end = stringEnd(json, at)
        if (expectsKey) {
          member = { key: keyText(json, at, end), start: at, valueStart: -1, end: -1 }
          members.push(member)
          expectsKey = false
        }
        at = end - 1
        break
      }
      case openBrace:
      case openBracket:
        depth++
        if (depth === 1) expectsKey = true
        else if (depth > deepest) {
          deepest = depth
          deepestKey = member?.key
        }
        break
      case closeBrace:
      case closeBracket:
        depth--
        if (depth === 0 && member !== undefined) member.end = valueEnd(json, at)
        break
      case colon:
        if (depth === 1 && member !== undefined && member.valueStart === -1)
          member.valueStart = valueStart(json, at + 1)
        break
      case comma:
        if (depth === 1) {
          if (member !== undefined) member.end = valueEnd(json, at)
          expectsKey = true
        }
        break
    }
  }
  return { members, depth: Math.max(deepest, 1), deepestKey }
}

/** One past the closing quote of the string that opens at `start`. */
function stringEnd(json: Buffer, start: number): number {
  const near = Math.min(start + longString, json.length)
  let at = start + 1
  while (at < near) {
    const byte = json[at]!
    if (byte === quote) return at + 1
    at += byte === backslash ? 2 : 1
  }
  for (;;) {
    const end = json.indexOf(quote, at)
    if (end === -1) return json.length
    let slashes = 0
    while (end - slashes - 1 >= at && json[end - slashes - 1] === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

/** A key may be written with escapes; it is the decoded one that counts. */
function keyText(json: Buffer, start: number, end: number): string {
  const inner = json.toString('utf8', start + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(json.toString('utf8', start, end)) as string) : inner
}

function valueStart(json: Buffer, from: number): number {
  let at = from
  while (isWhiteSpace(json[at])) at++
  return at
}

function valueEnd(json: Buffer, before: number): number {
  let at = before
  while (isWhiteSpace(json[at - 1])) at--
  return at
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/**
 * The object with some members changed and all others byte for byte as they were. A change is the new
 * value's JSON text, or `undefined` to leave the member out; keys that are not there are added.
 * Where a key stands twice, the last one counted, and only it is kept.
 */
export function withMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | undefined>,
): Buffer {
  const pieces: Buffer[] = []
  let text = '{'
  let runStart = -1
  let runEnd = -1
  const flush = (): void => {
    if (runStart === -1) return
    pieces.push(Buffer.from(text), json.subarray(runStart, runEnd))
    text = ''
    runStart = -1
  }
  let first = true
  const written = new Set<string>()
  for (let index = 0; index < members.length; index++) {
    const member = members[index]!
    const changed = changes.has(member.key)
    if (!changed) {
      if (runStart === -1) {
        if (!first) text += ','
        runStart = member.start
      }
      runEnd = member.end
      first = false
      continue
    }
    flush()
    const value = changes.get(member.key)
    if (value === undefined || written.has(member.key)) continue
    written.add(member.key)
    text += `${first ? '' : ','}${JSON.stringify(member.key)}:${value}`
    first = false
  }
  flush()
  for (const [key, value] of changes) {
    if (value === undefined || written.has(key)) continue
    text += `${first ? '' : ','}${JSON.stringify(key)}:${value}`
    first = false
  }
  pieces.push(Buffer.from(`${text}}`))
  return Buffer.concat(pieces)
}
