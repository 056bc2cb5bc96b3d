import { randomFillSync } from 'node:crypto'

/** What an identifier names; it is the identifier's prefix (contract, section 1). */
export type IdentifierPrefix = 'acct' | 'key' | 'req' | 'top' | 'led' | 'node' | 'usr' | 'inv'

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
const timeCharacters = 10
/** What ten characters can hold; far beyond any date. */
const maxTimeMs = 32 ** timeCharacters - 1
const randomCharacters = 16
const pool = new Uint8Array(randomCharacters * 256)
let poolOffset = pool.length

let lastTimeMs = -1
let lastTimeText = ''

/**
 * A time-ordered identifier: the prefix, `_` and 26 characters, of which the first ten hold the time
 * in milliseconds and the others 80 random bits (the layout of https://github.com/ulid/spec, in lower case).
 */
export function newIdentifier(prefix: IdentifierPrefix, nowMs: number = Date.now()): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  let text = `${prefix}_${timeText(nowMs)}`
  const end = poolOffset + randomCharacters
  for (let index = poolOffset; index < end; index++) text += crockford[pool[index]! & 31]
  poolOffset = end
  return text
}

/**
 * The least text that an identifier of this millisecond or a later one can have: identifiers of a span of
 * time are those from its beginning's to before its end's.
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
