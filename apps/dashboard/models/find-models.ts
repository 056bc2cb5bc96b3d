/*
 * Finds models by what people type: `gpt4o`, `sonnet 4.5`, `claud opus`. Everything but letters and digits
 * is ignored. Letters may be left out or mistyped; digits may not, since GPT-4 is not GPT-5.
 */

interface Named {
  id: string
  name: string
}

/** Words shorter than this must match exactly. */
const leastLoose = 3
/** How many letters may be left out between two letters of the search. */
const mostLeftOut = 6
/** Scores: lower is better. An exact name is best; every loose match comes after all exact ones. */
const fits = { all: -1, whole: 0, begins: 1, contains: 2, loose: 10 } as const

/** The models that match, the best first. Loose matches are only returned if nothing matches exactly. */
export function findModels<Model extends Named>(models: readonly Model[], typed: string): Model[] {
  const words = typed.split(/\s+/).map(foldText).filter(Boolean)
  if (words.length === 0) return [...models]
  const found = models
    .map((model) => ({ model, fit: fitOf(model, words) }))
    .filter(({ fit }) => fit !== undefined) as { model: Model; fit: number }[]
  const exact = found.filter(({ fit }) => fit < fits.loose)
  return (exact.length > 0 ? exact : found)
    .toSorted((left, right) => left.fit - right.fit || left.model.id.localeCompare(right.model.id))
    .map(({ model }) => model)
}

/** Undefined if one of the words does not match. */
function fitOf({ id, name }: Named, words: readonly string[]): number | undefined {
  const own = foldText(id.slice(id.indexOf('/') + 1))
  const texts = [own, foldText(id), foldText(name)]
  if (foldText(id) === words.join('')) return fits.all
  let sum = 0
  for (const word of words) {
    if (own === word) sum += fits.whole
    else if (own.startsWith(word)) sum += fits.begins
    else if (texts.some((text) => text.includes(word))) sum += fits.contains
    else if (isLoosely(word, [own, foldText(name)], `${id} ${name}`)) sum += fits.loose
    else return undefined
  }
  return sum
}

function isLoosely(word: string, texts: readonly string[], whole: string): boolean {
  if (word.length < leastLoose) return false
  return texts.some((text) => isShortFor(word, text)) || partsOf(whole).some((part) => isOneSlip(word, part))
}

/**
 * Whether the letters of the word occur in the text in this order, close together and without a digit left
 * out between them: `g4o` matches `gpt4o`. Not a regular expression: backtracking would take very long on
 * long texts that do not match.
 */
function isShortFor(word: string, text: string): boolean {
  if (word.length > text.length) return false
  for (let start = text.indexOf(word[0]!); start !== -1; start = text.indexOf(word[0]!, start + 1))
    if (follows(word.slice(1), text, start)) return true
  return false
}

/** @param start the index of the preceding letter */
function follows(letters: string, text: string, start: number): boolean {
  let at = start
  for (const letter of letters) {
    const next = text.indexOf(letter, at + 1)
    const leftOut = text.slice(at + 1, next)
    if (next === -1 || leftOut.length > mostLeftOut || /\p{N}/u.test(leftOut)) return false
    at = next
  }
  return true
}

/** Whether one letter was replaced, left out or added, or two letters swapped; digits must be the same. */
function isOneSlip(word: string, part: string): boolean {
  if (Math.abs(word.length - part.length) > 1) return false
  const [one, other] = [Array.from(word), Array.from(part)]
  while (one.length > 0 && one[0] === other[0]) {
    one.shift()
    other.shift()
  }
  while (one.length > 0 && one.at(-1) === other.at(-1)) {
    one.pop()
    other.pop()
  }
  const rest = one.join('')
  if (/\p{N}/u.test(rest + other.join(''))) return false
  return (one.length <= 1 && other.length <= 1) || (one.length === 2 && rest === other.toReversed().join(''))
}

function partsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(({ length }) => length >= leastLoose)
}

/** Letters and digits only, in lower case. */
function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
