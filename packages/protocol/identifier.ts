import { randomFillSync } from 'node:crypto'

/** What an identifier names, used as its prefix (docs/contract.md, 1). */
export type IdentifierPrefix =
  | 'acct'
  | 'key'
  | 'req'
  | 'top'
  | 'led'
  | 'node'
  | 'usr'
  | 'inv'
  | 'sgn'
  | 'ses'
  /** A saved payment method. */
  | 'pmt'
  /** A membership in an organization, an invitation to one, a project. */
  | 'mem'
  | 'oin'
  | 'prj'
  /** A budget. */
  | 'bud'
  /** A change of a price. */
  | 'prc'
  /** A verification of the ledger. */
  | 'ver'
  /** An event, a notification target, and the delivery of an event to a target. */
  | 'evt'
  | 'tgt'
  | 'dlv'
  /** An account's own vendor key. */
  | 'vky'

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
/** The same characters as bytes: reading one is faster than `charCodeAt`. */
const digits = Buffer.from(crockford, 'latin1')
const timeCharacters = 10
/** The largest number that ten characters can encode; far beyond any date. */
const maxTimeMs = 32 ** timeCharacters - 1
const counterCharacters = 4
/** The counter starts each millisecond at a random number below half of its range. */
const counterStartBits = counterCharacters * 5 - 1
const randomCharacters = 12
const pool = new Uint8Array(randomCharacters * 256)
let poolOffset = pool.length

/**
 * The buffer for the next identifier. A string built by concatenation is a rope, which would double the time
 * of `JSON.stringify` for the row that contains it.
 */
const characters = Buffer.alloc(64)
/** What the buffer begins with: the prefix and the time of the last identifier. */
let writtenPrefix = ''
let writtenTimeMs = -1
let writtenLength = 0

let lastTimeMs = -1
let lastTimeText = ''
/** The millisecond of the last identifier. */
let countedMs = -1
let counter = 0

/**
 * A time-ordered identifier: the prefix, `_` and 26 characters. The first ten encode the time in milliseconds
 * (the layout of https://github.com/ulid/spec, in lower case). The next four count from a random number
 * within a millisecond, so that identifiers of one process sort in the order of their creation (RFC 9562,
 * section 6.2, method 1). The last twelve are 60 random bits.
 */
export function newIdentifier(prefix: IdentifierPrefix, nowMs: number = Date.now()): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  counter = nowMs === countedMs ? counter + 1 : Math.floor(Math.random() * 2 ** counterStartBits)
  countedMs = nowMs
  if (prefix !== writtenPrefix || nowMs !== writtenTimeMs) writeBeginning(prefix, nowMs)
  let length = writtenLength
  for (let shift = 5 * (counterCharacters - 1); shift >= 0; shift -= 5)
    characters[length++] = digits[(counter >> shift) & 31]!
  const end = poolOffset + randomCharacters
  for (let index = poolOffset; index < end; index++) characters[length++] = digits[pool[index]! & 31]!
  poolOffset = end
  return characters.toString('latin1', 0, length)
}

function writeBeginning(prefix: IdentifierPrefix, nowMs: number): void {
  writtenLength = characters.write(`${prefix}_${timeText(nowMs)}`, 'latin1')
  writtenPrefix = prefix
  writtenTimeMs = nowMs
}

/**
 * The lower bound of all identifiers of this millisecond or later: a time range has the identifiers from its
 * start's bound up to its end's.
 * @param timeMs Unix epoch milliseconds; fractions count as the next millisecond
 */
export function firstIdentifierAt(prefix: IdentifierPrefix, timeMs: number): string {
  return `${prefix}_${timeText(Math.min(Math.max(0, Math.ceil(timeMs)), maxTimeMs))}`
}

function timeText(nowMs: number): string {
  if (nowMs === lastTimeMs) return lastTimeText
  let text = ''
  let rest = nowMs
  for (let index = 0; index < timeCharacters; index++) {
    text = crockford[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  lastTimeMs = nowMs
  lastTimeText = text
  return text
}
