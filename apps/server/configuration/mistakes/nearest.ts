/** The candidate of which the text is most likely a misspelling; undefined if none is close. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const bound = text.length <= 3 ? 1 : Math.min(3, Math.ceil(text.length / 3))
  let best: string | undefined
  let bestDistance = bound + 1
  for (const candidate of candidates) {
    const distance = editDistance(normal(text), normal(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Makes `baseUrl`, `base-url` and `base_url` the same word. */
function normal(text: string): string {
  return text.replace(/[-_\s]/g, '').toLowerCase()
}

/** Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost))
    }
    previous = current
  }
  return previous[right.length]!
}
