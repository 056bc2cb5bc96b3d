import { isObject } from './object.ts'
import { scanObject } from './scan.ts'
import { skipSpace } from './cursor.ts'

/** The path to a value: names of members, and 0 for the first element of a list. */
export type ValuePath = readonly (string | 0)[]

/** Where the text of a value is. */
export interface ValuePlace {
  start: number
  /** One past its last byte. */
  end: number
}

const openBrace = 0x7b
const openBracket = 0x5b

/** The value at this path; undefined if there is none. */
export function valueAt(body: unknown, path: ValuePath): unknown {
  let value = body
  for (const step of path) {
    if (step === 0) value = Array.isArray(value) ? (value as unknown[])[0] : undefined
    else value = isObject(value) ? value[step] : undefined
  }
  return value
}

/** Where a member is in a parsed JSON text. Undefined if it is missing, or a name on the path is repeated. */
export function placeOf(json: Buffer, path: ValuePath): ValuePlace | undefined {
  let place: ValuePlace = { start: skipSpace(json, 0), end: json.length }
  for (const step of path) {
    const { start } = place
    if (step === 0) {
      if (json[start] !== openBracket) return undefined
      place = { start: skipSpace(json, start + 1), end: place.end }
      continue
    }
    if (json[start] !== openBrace) return undefined
    const found = scanObject(json.subarray(start)).members.filter(({ key }) => key === step)
    if (found.length !== 1) return undefined
    place = { start: start + found[0]!.valueStart, end: start + found[0]!.end }
  }
  return place
}
