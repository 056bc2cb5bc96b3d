/** The value of a JSON text; where its end is missing, that of what is there. Undefined: it is no JSON. */
export function readJson(text: string): unknown {
  return parseJson(text) ?? parseJson(closeJson(text))
}

/** Numbers are kept as they are written where a number of JavaScript would be another one. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
      const source = context?.source
      const isLong = typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value)
      return isLong && /^-?\d{16,}$/.test(source) ? source : value
    }) as unknown
  } catch {
    // It is no whole JSON: the caller of this has another way to read it.
    return undefined
  }
}

/** At a cut a secret may have lost its end, by which it is known: so many characters before it go as well. */
export const unsureCharacters = 512

/** Deeper values are left out: no request is so deep, and what reads them calls itself for each level. */
const deepest = 200

/** A list or an object that is open, and those that it is in. */
interface Open {
  closer: '}' | ']'
  /** Of an object: what comes next, or is under way, is a member's name. */
  inName: boolean
  depth: number
  outer: Open | undefined
}

/**
 * A JSON text whose end is missing, closed: strings, lists and objects end where it breaks off, and a member
 * without its value is left out.
 */
function closeJson(text: string): string {
  let open: Open | undefined
  /** Behind the last value that is whole, and what is open there. */
  let whole: { at: number; open: Open | undefined } = { at: 0, open }
  let at = 0
  for (; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') {
      const end = endOfString(text, at + 1)
      if (end === -1) break
      at = end
    } else if (char === '{' || char === '[') {
      const depth: number = (open?.depth ?? 0) + 1
      if (depth > deepest) return text.slice(0, whole.at) + closersOf(whole.open)
      open = { closer: char === '{' ? '}' : ']', inName: char === '{', depth, outer: open }
      whole = { at: at + 1, open }
    } else if (char === '}' || char === ']') {
      open = open?.outer
      whole = { at: at + 1, open }
    } else if (char === ',') {
      whole = { at, open }
      if (open?.closer === '}') open.inName = true
    } else if (char === ':' && open !== undefined) open.inName = false
  }
  const inString = at < text.length
  if (inString && open?.inName !== true) return `${withoutUnsure(text, at)}"${closersOf(open)}`
  return text.slice(0, whole.at) + closersOf(whole.open)
}

function closersOf(open: Open | undefined): string {
  let closers = ''
  for (let one = open; one !== undefined; one = one.outer) closers += one.closer
  return closers
}

/** @returns -1 where it has none */
function endOfString(text: string, begin: number): number {
  for (let at = begin; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '"') return at
  }
  return -1
}

/** A string that is not whole, up to where it can be trusted, without half of an escape. */
function withoutUnsure(text: string, quoteAt: number): string {
  const end = Math.max(quoteAt + 1, text.length - unsureCharacters)
  return text
    .slice(0, end)
    .replace(/\\u[0-9a-fA-F]{0,3}$/, '')
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
}
