import { classes, dense, digit, letter } from './features/characters.ts'
import { readPrompt } from './features/read-prompt.ts'
import { measureOf, shapeFeatureCount, shapeFeatures } from './features/shape-features.ts'
import { gramValue } from './gate.ts'
import { headCount, overSimple } from './heads.ts'
import type { Reason } from './prompt-score.ts'
import { placeOf } from './vocabulary.ts'
import type { Weights } from './weights.ts'

const maxReasons = 5

/** The five strongest reasons for or against a stronger model than a SIMPLE one. Reads the prompt again. */
export function reasonsOf(text: string, weights: Weights): Reason[] {
  const byName = new Map<string, number>()
  const add = (name: string, weight: number): void => {
    byName.set(name, (byName.get(name) ?? 0) + weight)
  }
  addWords(text, weights, add)
  addShape(text, weights, add)
  return [...byName]
    .map(([name, weight]): Reason => ({ text: name, weight: Math.round(weight * 10_000) / 10_000 }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, maxReasons)
}

/** Adds each word with its own effect; pairs and affixes count for the word that they end with. */
function addWords(text: string, weights: Weights, add: (name: string, weight: number) => void): void {
  const { fingerprints, grams, header } = weights
  const whole = readPrompt(text)
  const places = new Set<number>()
  let words = 0
  let knownWords = 0
  for (let index = 0; index < whole.gramCount; index++) {
    const place = placeOf(whole.grams[index]!, fingerprints)
    words += whole.wholeWords[index]!
    if (place === -1) continue
    knownWords += whole.wholeWords[index]!
    places.add(place)
  }
  const value = gramValue(places.size, words === 0 ? 0 : knownWords / words) * header.gramScales[overSimple]!
  const seen = new Set<number>()
  let before = ''
  for (const word of wordsOf(text)) {
    // The word alone and after its predecessor: the difference is the pair's effect.
    const features = readPrompt(before === '' ? word : `${before} ${word}`)
    let sum = 0
    for (let index = 0; index < features.gramCount; index++) {
      const place = placeOf(features.grams[index]!, fingerprints)
      if (place === -1 || seen.has(place) || !places.has(place)) continue
      seen.add(place)
      sum += grams[place * headCount + overSimple]!
    }
    if (sum !== 0) add(`the word "${word}"`, sum * value)
    before = word
  }
}

const maxWordsTold = 300

function wordsOf(text: string): string[] {
  const words: string[] = []
  const lower = text.slice(0, 4_000).toLowerCase()
  let start = -1
  for (let index = 0; index <= lower.length && words.length < maxWordsTold; index++) {
    const kind = index === lower.length ? -1 : classes[lower.charCodeAt(index)]
    const isWord = kind === letter || kind === digit || kind === dense
    if (isWord && start === -1) start = index
    if (!isWord && start !== -1) {
      words.push(lower.slice(start, Math.min(index, start + 40)))
      start = -1
    }
  }
  return words
}

function addShape(text: string, { shape }: Weights, add: (name: string, weight: number) => void): void {
  const figures = new Float32Array(shapeFeatureCount)
  shapeFeatures(readPrompt(text).shape, figures)
  for (let feature = 0; feature < shapeFeatureCount; feature++) {
    const weight = shape[feature * headCount + overSimple]! * figures[feature]!
    if (weight !== 0) add(measureOf(feature), weight)
  }
}
