/** Parses JSON text whose end may be missing; then returns what is there. Undefined if it is not JSON. */
export function readJson(text: string): unknown {
  return parseJson(text) ?? parseJson(closeJson(text))
}

/** Keeps numbers as text if JavaScript's numbers cannot represent them exactly. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
      const source = context?.source
      const isLong = typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value)
      return isLong && /^-?\d{16,}$/.test(source) ? source : value
    }) as unknown
  } catch {
    // Not complete JSON: the caller tries another way to read it.
    return undefined
  }
}

/** How many characters before a cut to drop: a secret there may have lost the end that identifies it. */
export const unsureCharacters = 512

/** Deeper values are left out: no real request is this deep, and its readers recurse for each level. */
const deepest = 200

/** An open list or object, and the ones that contain it. */
interface Open {
  closer: '}' | ']'
  /** For an object: a member's name comes next, or is being read. */
  inName: boolean
  depth: number
  outer: Open | undefined
}

/** Closes truncated JSON: open strings, lists and objects end, and a member without a value is dropped. */
function closeJson(text: string): string {
  let open: Open | undefined
  /** The position after the last complete value, and what is open there. */
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

/** @returns -1 if it has none */
function endOfString(text: string, begin: number): number {
  for (let at = begin; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '"') return at
  }
  return -1
}

/** An incomplete string up to where it can be trusted, without half of an escape. */
function withoutUnsure(text: string, quoteAt: number): string {
  const end = Math.max(quoteAt + 1, text.length - unsureCharacters)
  return text
    .slice(0, end)
    .replace(/\\u[0-9a-fA-F]{0,3}$/, '')
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
}
