import { fieldPath } from './explain.ts'
import type { Member } from './members.ts'
import { countKnownNames, type KnownName, type Names } from './names.ts'
import { parseJson } from './parse-json.ts'

export interface ObjectScan {
  members: Member[]
  /** All values, those within others included. */
  values: number
  /** The deepest nesting of arrays and objects, the outermost object being 1. */
  depth: number
  /** The member that nests deepest. */
  deepestKey: string | undefined
  /**
   * The scan ended early: there are more values, or members of the outermost object or another one that is
   * acted on, than it was to take.
   */
  tooMany: 'values' | 'members' | undefined
  /** Which object has too many members; undefined for the outermost one. */
  tooManyIn: string | undefined
  /** The first member that some would read otherwise than we do. */
  ambiguous: Ambiguity | undefined
}

/** Either a name that differs from one of ours only in how it is written, or one that is there twice. */
export interface Ambiguity {
  /** As in `messages[0].Content`. */
  path: string
  /** Our name; undefined where it is this one, a second time. */
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

/** From here on a string's end is searched by the engine's own search, as for an image in base64. */
const longString = 32

/** What we act on lies no deeper. */
const trackedLevels = 256

/*
 * What is known of the containers that are open, by depth. A scan never waits, so that one set is enough for
 * all of them.
 */
const isObject = new Uint8Array(trackedLevels)
/** In a list: which element it is; in an object: how many members there were. */
const positions = new Int32Array(trackedLevels)
/** Each object that is acted on has a number of its own. */
const objectNumbers = new Float64Array(trackedLevels)
/** The names that are acted on in an object, or in the objects of a list. */
const namesAt: (Names | undefined)[] = Array.from({ length: trackedLevels })
/** The latest member of an object. */
const latest: (KnownName | undefined)[] = Array.from({ length: trackedLevels })
/** By a name's index: the object in which it was seen last. */
let seenIn = new Float64Array(0)
let objects = 0

/**
 * Finds the members of the outermost object of a JSON text, and counts what is in it, without building
 * anything: one walk over the bytes, for texts that nobody has parsed yet. What it finds in a text that is no
 * JSON means nothing, but it always ends.
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
        // Counted as if something were in it: what is empty is found at its end.
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

/** The next element of a list, or member of an object: true where a name is to follow. */
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

/** Said twice it counts once, as the last one says: that is no ambiguity here. */
function outermostKey(json: Buffer, start: number, end: number, scan: ObjectScan): string {
  const names = namesAt[1]
  const known = names?.at(json, start + 1, end - 1)
  latest[1] = known
  if (known !== undefined) return known.name
  const text = keyText(json, start, end)
  if (names?.tooLong(end - start - 2) === false) latest[1] = byText(text, names, 1, scan)
  return text
}

/** A name within what we act on, where each is to be there once; answers with how many there were. */
function noteKey(json: Buffer, start: number, end: number, depth: number, scan: ObjectScan): number {
  const names = namesAt[depth]!
  const known =
    names.at(json, start + 1, end - 1) ??
    // To hash a long text takes longer than to read it.
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

/** Of the object at this depth: what holds it has names that are known, or is a list. */
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

/** A key may be written with escapes; it is the decoded one that counts. */
function keyText(json: Buffer, start: number, end: number): string {
  const inner = json.toString('utf8', start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  const decoded = parseJson(json.toString('utf8', start, end))
  return typeof decoded === 'string' ? decoded : inner
}

/** Whether nothing stands in the container that closes there. */
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
