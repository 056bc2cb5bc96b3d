import { fieldPath } from './explain.ts'
import type { Member } from './members.ts'
import { countKnownNames, type KnownName, type Names } from './names.ts'
import { parseJson } from './parse-json.ts'

export interface ObjectScan {
  members: Member[]
  /** All values, including nested ones. */
  values: number
  /** The deepest nesting of arrays and objects. The outermost object is 1. */
  depth: number
  /** The outermost member that nests deepest. */
  deepestKey: string | undefined
  /**
   * The scan ended early: there are more values than allowed, or more members in the outermost object or in
   * another object that the gateway acts on.
   */
  tooMany: 'values' | 'members' | undefined
  /** The object that has too many members; undefined for the outermost one. */
  tooManyIn: string | undefined
  /** The first member that other JSON readers could read differently. */
  ambiguous: Ambiguity | undefined
}

/** A name that differs from one of ours only in how it is written, or a name that occurs twice. */
export interface Ambiguity {
  /** Such as `messages[0].Content`. */
  path: string
  /** Our name; undefined if it is this same name, a second time. */
  name: string | undefined
}

export interface ScanBounds {
  maxValues: number
  maxMembers: number
}

const unbounded: ScanBounds = { maxValues: Number.POSITIVE_INFINITY, maxMembers: Number.POSITIVE_INFINITY }

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** From this length on, the engine's native search finds a string's end, such as that of a base64 image. */
const longString = 32

/** Everything that the gateway acts on is less deep than this. */
const trackedLevels = 256

/* The state of the open containers, by depth. A scan is synchronous, so all scans share one set. */
const isObject = new Uint8Array(trackedLevels)
/** In a list: the index of the current element. In an object: the number of members so far. */
const positions = new Int32Array(trackedLevels)
/** Each object that the gateway acts on gets a number. */
const objectNumbers = new Float64Array(trackedLevels)
/** The names that the gateway acts on in an object, or in the objects of a list. */
const namesAt: (Names | undefined)[] = Array.from({ length: trackedLevels })
/** The latest member of an object. */
const latest: (KnownName | undefined)[] = Array.from({ length: trackedLevels })
/** By a name's index: the number of the object in which it occurred last. */
let seenIn = new Float64Array(0)
let objects = 0

/**
 * Finds the members of the outermost object of a JSON text, and counts its values, without building anything:
 * one walk over the bytes of a text that is not parsed yet. The result for invalid JSON has no meaning, but
 * the scan always ends.
 */
export function scanObject(json: Buffer, names?: Names, bounds: ScanBounds = unbounded): ObjectScan {
  const { maxValues, maxMembers } = bounds
  const scan = newScan()
  const { members } = scan
  begin(names)
  let depth = 0
  let values = 1
  let expectsKey = false
  let member: Member | undefined
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte > colon && byte < openBracket) continue
    switch (byte) {
      case quote: {
        const end = stringEnd(json, at)
        if (expectsKey) {
          expectsKey = false
          if (depth === 1) {
            member = { key: outermostKey(json, at, end, scan), start: at, valueStart: -1, end: -1 }
            if (members.push(member) > maxMembers) return stopScan(scan, 'members')
          } else if (namesAt[depth] !== undefined && noteKey(json, at, end, depth, scan) > maxMembers)
            return stopScan(scan, 'members', pathOf(depth))
        }
        at = end - 1
        break
      }
      case openBrace:
      case openBracket:
        depth++
        // Counted as if it had a value. An empty container is corrected at its end.
        if (++values > maxValues + depth) return stopScan(scan, 'values')
        open(depth, byte === openBrace)
        expectsKey = byte === openBrace
        if (depth > scan.depth) {
          scan.depth = depth
          scan.deepestKey = member?.key
        }
        break
      case closeBrace:
      case closeBracket:
        if (isEmpty(json, at)) values--
        expectsKey = false
        if (--depth > 0) break
        if (member !== undefined) member.end = valueEnd(json, at)
        return endScan(scan, values, maxValues)
      case colon:
        if (depth === 1 && member !== undefined && member.valueStart === -1)
          member.valueStart = valueStart(json, at + 1)
        break
      case comma:
        if (++values > maxValues + depth) return stopScan(scan, 'values')
        expectsKey = next(depth)
        if (depth === 1 && member !== undefined) member.end = valueEnd(json, at)
        break
    }
  }
  return endScan(scan, values, maxValues)
}

function newScan(): ObjectScan {
  return {
    members: [],
    values: 0,
    depth: 1,
    deepestKey: undefined,
    tooMany: undefined,
    tooManyIn: undefined,
    ambiguous: undefined,
  }
}

function begin(names: Names | undefined): void {
  isObject[0] = 0
  namesAt[0] = names
  if (seenIn.length < countKnownNames()) seenIn = new Float64Array(2 * countKnownNames())
}

function open(depth: number, object: boolean): void {
  if (depth >= trackedLevels) return
  const names = isObject[depth - 1] === 1 ? latest[depth - 1]?.below : namesAt[depth - 1]
  isObject[depth] = object ? 1 : 0
  namesAt[depth] = names
  latest[depth] = undefined
  positions[depth] = 0
  if (names !== undefined) objectNumbers[depth] = ++objects
}

/** Moves to the next element of a list, or member of an object. True if a name must follow. */
function next(depth: number): boolean {
  if (depth >= trackedLevels) return false
  if (isObject[depth] === 1) return true
  positions[depth]!++
  return false
}

function stopScan(scan: ObjectScan, tooMany: 'values' | 'members', path?: string[]): ObjectScan {
  scan.tooMany = tooMany
  if (path !== undefined) scan.tooManyIn = fieldPath(path)
  return scan
}

function endScan(scan: ObjectScan, values: number, maxValues: number): ObjectScan {
  scan.values = values
  if (values > maxValues) scan.tooMany = 'values'
  return scan
}

/** A repeated outermost member counts once, with its last value, so it is not ambiguous. */
function outermostKey(json: Buffer, start: number, end: number, scan: ObjectScan): string {
  const names = namesAt[1]
  const known = names?.at(json, start + 1, end - 1)
  latest[1] = known
  if (known !== undefined) return known.name
  const text = keyText(json, start, end)
  if (names?.tooLong(end - start - 2) === false) latest[1] = byText(text, names, 1, scan)
  return text
}

/** Notes a name, which may occur once in an object that the gateway acts on. Returns the members so far. */
function noteKey(json: Buffer, start: number, end: number, depth: number, scan: ObjectScan): number {
  const names = namesAt[depth]!
  const known =
    names.at(json, start + 1, end - 1) ??
    // Hashing a long text takes longer than reading it.
    (names.tooLong(end - start - 2) ? undefined : byText(keyText(json, start, end), names, depth, scan))
  latest[depth] = known
  const count = ++positions[depth]!
  if (known === undefined) return count
  if (seenIn[known.index] === objectNumbers[depth])
    scan.ambiguous ??= { path: fieldPath([...pathOf(depth), known.name]), name: undefined }
  seenIn[known.index] = objectNumbers[depth]!
  return count
}

function byText(text: string, names: Names, depth: number, scan: ObjectScan): KnownName | undefined {
  const known = names.find(text)
  if (known !== undefined) return known
  const name = names.findConfusable(text)
  if (name !== undefined) scan.ambiguous ??= { path: fieldPath([...pathOf(depth), text]), name }
  return undefined
}

/** The path of the object at this depth. All its ancestors are lists, or objects with known names. */
function pathOf(depth: number): string[] {
  const path: string[] = []
  for (let level = 1; level < depth; level++)
    path.push(isObject[level] === 1 ? latest[level]!.name : String(positions[level]))
  return path
}

/** One past the closing quote of the string that opens at `start`. */
export function stringEnd(json: Buffer, start: number): number {
  let at = start + 1
  for (;;) {
    const near = Math.min(at + longString, json.length)
    while (at < near) {
      const byte = json[at]!
      if (byte === quote) return at + 1
      at += byte === backslash ? 2 : 1
    }
    const end = json.indexOf(quote, at)
    if (end === -1) return json.length
    let slashes = 0
    while (end - slashes - 1 >= at && json[end - slashes - 1] === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

/** A key may be written with escapes; the decoded name counts. */
function keyText(json: Buffer, start: number, end: number): string {
  const inner = json.toString('utf8', start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  const decoded = parseJson(json.toString('utf8', start, end))
  return typeof decoded === 'string' ? decoded : inner
}

/** Whether the container that closes at `close` is empty. */
function isEmpty(json: Buffer, close: number): boolean {
  const before = json[valueEnd(json, close) - 1]
  return before === openBrace || before === openBracket
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
