import { scanObject } from './scan.ts'

/**
 * No answer nests so deep, while to write what does takes more stack than there is: and that would be found
 * once the answer is paid.
 */
const mostLevels = 2_000

/**
 * The value of a JSON text; undefined where it is none, or nests too deep: what it is then, whoever needed it
 * says.
 */
export function parsed(text: string): unknown {
  if (mayNestDeep(text) && scanObject(Buffer.from(text)).depth > mostLevels) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not everybody needs it: the page of a proxy in a vendor's place is read as text.
    return undefined
  }
}

/** Whether so many brackets are open at one place, those that stand in strings among them. */
function mayNestDeep(text: string): boolean {
  if (text.length < 2 * mostLevels) return false
  return openAtMost(text, '[', ']') + openAtMost(text, '{', '}') > mostLevels
}

function openAtMost(text: string, opening: string, closing: string): number {
  let most = 0
  let open = 0
  let close = text.indexOf(closing)
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
    for (; close !== -1 && close < at; close = text.indexOf(closing, close + 1)) open--
    if (++open > most) most = open
  }
  return most
}
