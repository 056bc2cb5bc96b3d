/** A text is shortened to no less than this; below it, whole values are removed. */
const leastCharacters = 64

/** What was kept of a value. */
export interface FittedValue {
  value: unknown
  cut: boolean
}

/**
 * Shortens a JSON value to at most this many bytes: cuts the middle of its longest texts, so that the
 * beginning and the end of the conversation remain. If that is not enough, removes the middle of its lists.
 */
export function fitValue(value: unknown, mostBytes: number): FittedValue {
  if (sizeOf(value) <= mostBytes) return { value, cut: false }
  let [low, high] = [leastCharacters, mostBytes]
  const least = withTextsUpTo(value, low)
  if (sizeOf(least) > mostBytes) return { value: withShortLists(least, mostBytes), cut: true }
  while (high - low > leastCharacters) {
    const middle = Math.floor((low + high) / 2)
    if (sizeOf(withTextsUpTo(value, middle)) <= mostBytes) low = middle
    else high = middle
  }
  return { value: withTextsUpTo(value, low), cut: true }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function withTextsUpTo(value: unknown, most: number): unknown {
  if (typeof value === 'string') return shortenText(value, most)
  if (Array.isArray(value)) return value.map((item) => withTextsUpTo(item, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTextsUpTo(item, most)]))
}

/** The beginning and the end of a text, with the number of characters missing between them. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = Math.ceil((most * 2) / 3)
  const tail = most - head
  const mark = ` […${text.length - most} characters left out…] `
  return text.slice(0, head).toWellFormed() + mark + text.slice(text.length - tail).toWellFormed()
}

/** Halves the lists until the rest fits. A value that still does not fit is replaced by its size. */
function withShortLists(value: unknown, mostBytes: number): unknown {
  for (let most = 1_024; most >= 1; most = Math.floor(most / 2)) {
    const shorter = withListsUpTo(value, most)
    if (sizeOf(shorter) <= mostBytes) return shorter
  }
  return `[${sizeOf(value)} bytes left out]`
}

function withListsUpTo(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const items = value.length <= most ? value : ends(value, most)
    return items.map((item) => withListsUpTo(item, most))
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const kept = members.length <= 4 * most ? members : members.slice(0, 4 * most)
  return Object.fromEntries(kept.map(([name, item]) => [name, withListsUpTo(item, most)]))
}

function ends(list: readonly unknown[], most: number): unknown[] {
  const head = Math.ceil(most / 2)
  const tail = most - head
  const mark = `[…${list.length - most} left out…]`
  return [...list.slice(0, head), mark, ...(tail === 0 ? [] : list.slice(-tail))]
}
