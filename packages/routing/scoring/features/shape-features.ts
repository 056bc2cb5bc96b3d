import type { PromptShape } from './prompt-shape.ts'

/**
 * Turns counts into ramps: at each of a few knots begins a feature that rises from 0 to 1 up to the next
 * knot. A sum of ramps can approximate any curve, and never jumps when a count changes a little.
 */

interface Measure {
  /** As a reason names it: `length`, `numbers`. */
  name: string
  of: (shape: PromptShape) => number
  knots: readonly number[]
  /** Falls back to 0 up to the next knot: ten options are not four options and more. */
  isPeaked?: true
}

const log = Math.log1p
const perWord = (count: number, shape: PromptShape): number =>
  count / (shape.words + shape.denseCharacters / 2 + 1)
const countMarks = (shape: PromptShape, characters: string): number => {
  let count = 0
  for (let index = 0; index < characters.length; index++) count += shape.marks[characters.charCodeAt(index)]!
  return count
}

const measures: readonly Measure[] = [
  {
    name: 'length',
    of: (s) => log(s.length),
    knots: [1, 2, 2.6, 3, 3.4, 3.8, 4.2, 4.6, 5, 5.4, 5.8, 6.2, 6.6, 7, 7.5, 8, 9, 11],
  },
  {
    name: 'length of words',
    of: (s) => s.wordCharacters / (s.words + 0.01),
    knots: [2.5, 3.5, 4, 4.5, 5, 5.5, 6, 7, 9],
  },
  {
    name: 'share of long words',
    of: (s) => perWord(s.longWords, s),
    knots: [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5],
  },
  { name: 'numbers', of: (s) => log(s.numbers), knots: [0, 0.7, 1.1, 1.4, 1.7, 2, 2.4, 2.8, 3.5, 5] },
  { name: 'long numbers', of: (s) => log(s.longNumbers), knots: [0, 0.7, 1.1, 1.6, 2.3, 3.5] },
  {
    name: 'largest number',
    of: (s) => log(s.largestNumber),
    knots: [0, 1.5, 2.3, 3, 3.7, 4.3, 5, 6, 7.5, 10],
  },
  { name: 'fractions', of: (s) => s.fractions, knots: [0, 1, 2, 4] },
  {
    name: 'share of numbers',
    of: (s) => perWord(s.numbers, s),
    knots: [0, 0.03, 0.06, 0.1, 0.15, 0.25, 0.5],
  },
  {
    name: 'arithmetic signs',
    of: (s) => log(countMarks(s, '+-*/=<>^%')),
    knots: [0, 0.7, 1.1, 1.6, 2.2, 3, 4],
  },
  { name: 'braces and semicolons', of: (s) => log(countMarks(s, '{};[]')), knots: [0, 0.7, 1.4, 2.2, 3, 4] },
  { name: 'parentheses', of: (s) => log(countMarks(s, '(')), knots: [0, 0.7, 1.4, 2.2, 3] },
  { name: 'formulas', of: (s) => log(countMarks(s, '\\$')), knots: [0, 0.7, 1.4, 2.2, 3] },
  { name: 'underscores', of: (s) => log(countMarks(s, '_')), knots: [0, 0.7, 1.4, 2.2, 3] },
  { name: 'quotation marks', of: (s) => log(countMarks(s, '"\'`')), knots: [0, 0.7, 1.4, 2.2, 3] },
  { name: 'colons', of: (s) => log(countMarks(s, ':')), knots: [0, 0.7, 1.4, 2.2] },
  { name: 'money', of: (s) => log(countMarks(s, '$%')), knots: [0, 0.7, 1.4] },
  { name: 'share of marks', of: (s) => s.allMarks / (s.length + 1), knots: [0, 0.02, 0.04, 0.07, 0.1, 0.2] },
  { name: 'sentences', of: (s) => log(s.sentences), knots: [0, 0.7, 1.1, 1.4, 1.8, 2.3, 3, 4] },
  {
    name: 'words a sentence',
    of: (s) => log(s.length / (s.sentences + 1)),
    knots: [2, 3, 3.5, 4, 4.5, 5, 6],
  },
  { name: 'questions', of: (s) => s.questions, knots: [0, 1, 2, 4] },
  { name: 'commas', of: (s) => log(s.commas), knots: [0, 0.7, 1.1, 1.4, 1.7, 2, 2.5, 3.5] },
  {
    name: 'answers to choose from',
    of: (s) => s.options,
    knots: [1, 2, 3, 4, 5, 8, 10],
    isPeaked: true,
  },
  { name: 'listed items', of: (s) => s.items, knots: [0, 1, 2, 4, 9] },
  {
    name: 'dense script',
    of: (s) => s.denseCharacters / (s.denseCharacters + s.wordCharacters + 1),
    knots: [0, 0.5, 1],
  },
  {
    name: 'letters beyond ASCII',
    of: (s) => s.foreignLetters / (s.wordCharacters + 1),
    knots: [0, 0.1, 0.5, 1],
  },
]

/**
 * Settings in which some measures have separate features: a long exam question is not a long story with sums.
 */
const settings: readonly { isIn: (shape: PromptShape) => boolean; measures: readonly string[] }[] = [
  {
    isIn: ({ options }) => options >= 2,
    measures: ['length', 'numbers', 'share of long words', 'length of words', 'arithmetic signs'],
  },
  {
    isIn: ({ options, numbers }) => options < 2 && numbers >= 2,
    measures: [
      'length',
      'numbers',
      'long numbers',
      'largest number',
      'fractions',
      'sentences',
      'words a sentence',
      'money',
      'commas',
    ],
  },
]

interface Ramp {
  measure: number
  from: number
  to: number
  /** Where the ramp is 0 again. */
  end: number
  /** Index into `settings`; -1 if it applies in all of them. */
  setting: number
}

function rampsOf(setting: number, names: readonly string[]): Ramp[] {
  return measures.flatMap(({ name, knots, isPeaked }, measure) =>
    names.includes(name)
      ? knots.slice(1).map((to, knot): Ramp => {
          const end = isPeaked === true ? (knots[knot + 2] ?? Infinity) : Infinity
          return { measure, from: knots[knot]!, to, end, setting }
        })
      : [],
  )
}

const ramps: readonly Ramp[] = [
  ...rampsOf(
    -1,
    measures.map(({ name }) => name),
  ),
  ...settings.flatMap(({ measures: names }, setting) => rampsOf(setting, names)),
]

export const shapeFeatureCount = ramps.length

const values = new Float64Array(measures.length)

/** Fills `into` with `shapeFeatureCount` numbers from 0 to 1. */
export function shapeFeatures(shape: PromptShape, into: Float32Array): void {
  for (let measure = 0; measure < measures.length; measure++) values[measure] = measures[measure]!.of(shape)
  const first = settings[0]!.isIn(shape)
  const second = settings[1]!.isIn(shape)
  for (let index = 0; index < ramps.length; index++) {
    const { measure, from, to, end, setting } = ramps[index]!
    const counts = setting === -1 || (setting === 0 ? first : second)
    const value = values[measure]!
    const fallen = value > to && end < Infinity ? (value - to) / (end - to) : 0
    into[index] = counts ? Math.max(0, Math.min(1, (value - from) / (to - from)) - fallen) : 0
  }
}

/** The measure of a feature, for the reasons of a score. */
export function measureOf(feature: number): string {
  return measures[ramps[feature]!.measure]!.name
}
