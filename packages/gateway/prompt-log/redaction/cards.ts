const [fewestDigits, mostDigits] = [13, 19]
/** Runs of digit groups, separated by single blanks or dashes, that may contain card numbers. */
const digitRuns = /(?<!\d)\d(?:[ -]?\d){12,}/g
const longestRun = 400

/**
 * Removes the numbers of payment cards: 13 to 19 digits with a correct check digit (ISO/IEC 7812-1, annex B),
 * of networks that issue cards, with or without groups.
 * @param mark the replacement for each
 */
export function withoutCards(text: string, mark: () => string): string {
  return text.replace(digitRuns, (run) => (run.length > longestRun ? run : withoutCardsOf(run, mark)))
}

/** A card may be among other numbers, so each sequence of whole groups is tried, the longest first. */
function withoutCardsOf(run: string, mark: () => string): string {
  const groups = run.split(/([ -])/)
  for (let first = 0; first < groups.length; first += 2) {
    for (let last = groups.length - 1; last >= first; last -= 2) {
      const digits = groups
        .slice(first, last + 1)
        .join('')
        .replace(/[ -]/g, '')
      if (!isCard(digits)) continue
      const before = groups.slice(0, first).join('')
      const behind = groups.slice(last + 1).join('')
      return before + mark() + withoutCards(behind, mark)
    }
  }
  return run
}

function isCard(digits: string): boolean {
  if (digits.length < fewestDigits || digits.length > mostDigits) return false
  // Other first digits are airlines' or telephone companies'; timestamps in milliseconds begin with 1.
  if (!/^[2-6]/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
