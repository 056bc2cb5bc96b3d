import { stringEnd } from './scan.ts'

/** Where an element of a list is. */
export interface Element {
  start: number
  /** One past its last byte. */
  end: number
}

const quote = 0x22
const openings: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b])
const closings: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d])
const comma = 0x2c

/**
 * The elements of a list, with the white space around them.
 * @param list JSON that was parsed before, from bracket to bracket
 */
export function elementsOf(list: Buffer): Element[] {
  const elements: Element[] = []
  const last = list.length - 1
  let start = 1
  let depth = 0
  for (let at = 1; at < last; at++) {
    const byte = list[at]
    // The loop's own step moves past the closing quote.
    if (byte === quote) at = stringEnd(list, at) - 1
    else if (openings.has(byte)) depth++
    else if (closings.has(byte)) depth--
    else if (byte === comma && depth === 0) {
      elements.push({ start, end: at })
      start = at + 1
    }
  }
  if (list.toString('latin1', start, last).trim() !== '') elements.push({ start, end: last })
  return elements
}
