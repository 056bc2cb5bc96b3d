import { shapeFeatureCount } from '@turnpike/routing/scoring/features/shape-features'
import { gramValue } from '@turnpike/routing/scoring/gate'
import type { Dataset } from './dataset.ts'
import { seededRandom, shuffle } from './random.ts'

/* Ridge regression of all heads at once, by dual coordinate ascent (Shalev-Shwartz & Zhang 2013): no
   step size to choose, and the same bytes from the same seed. */

export interface FitOptions {
  epochs: number
  seed: number
  /** Strength of regularization, by head. */
  gramRidge: readonly number[]
  shapeRidge: readonly number[]
}

/** What to learn, at `[row * heads + head]`; a weight of 0 excludes the row for that head. */
export interface Lessons {
  heads: number
  targets: Float32Array
  weights: Float32Array
}

export interface LinearModel {
  heads: number
  /** `[gram * heads + head]`. */
  grams: Float32Array
  /** `[feature * heads + head]`, with the bias after the last feature. */
  shape: Float32Array
  /** An n-gram's value by its rarity; 0 for unused ones. */
  rarity: Float32Array
}

export function teaches({ heads, weights }: Lessons, row: number): boolean {
  for (let head = 0; head < heads; head++) if (weights[row * heads + head]! > 0) return true
  return false
}

/** The value of an n-gram that occurs in `prompts` of `all` prompts: rare ones count more. */
export function rarityOf(prompts: number, all: number): number {
  return Math.sqrt(Math.max(0.1, Math.log(all / prompts)))
}

function emptyModel(data: Dataset, heads: number, rarity: Float32Array): LinearModel {
  return {
    heads,
    grams: new Float32Array(data.hashes.length * heads),
    shape: new Float32Array((shapeFeatureCount + 1) * heads),
    rarity,
  }
}

/** The factor for the rarity of a row's n-grams, and the share of the row's words that are known. */
export function knownWordsOf(
  data: Dataset,
  rarity: Float32Array,
  row: number,
): { value: number; known: number } {
  let used = 0
  let words = 0
  for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) {
    if (rarity[data.grams[at]!] === 0) continue
    used++
    words += data.wholeWords[at]!
  }
  const known = data.wordCounts[row] === 0 ? 0 : words / data.wordCounts[row]!
  return { value: gramValue(used, known), known }
}

export function fit(data: Dataset, lessons: Lessons, rarity: Float32Array, options: FitOptions): LinearModel {
  const { heads } = lessons
  const model = emptyModel(data, heads, rarity)
  const order = Int32Array.from(data.rows.keys()).filter((row) => teaches(lessons, row))
  const values = Float32Array.from(order, (row) => knownWordsOf(data, rarity, row).value)
  const places = Int32Array.from(order.keys())
  const gramNorms = Float32Array.from(order, (row, place) => gramSquares(data, model, row, values[place]!))
  const shapeNorms = Float32Array.from(order, (row) => shapeSquares(data, row))
  const dual = new Float64Array(order.length * heads)
  const random = seededRandom(options.seed)
  const step = new Float64Array(heads)
  const sums = new Float64Array(heads)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(places, random)
    for (const place of places) {
      const row = order[place]!
      predict(data, model, row, values[place]!, sums)
      for (let head = 0; head < heads; head++) {
        const weight = lessons.weights[row * heads + head]!
        const at = place * heads + head
        step[head] = 0
        if (weight === 0) continue
        const target = lessons.targets[row * heads + head]!
        const norm =
          gramNorms[place]! / options.gramRidge[head]! + shapeNorms[place]! / options.shapeRidge[head]!
        step[head] = (target - sums[head]! - dual[at]! / weight) / (1 / weight + norm)
        dual[at]! += step[head]!
      }
      move(data, model, row, values[place]!, step, options)
    }
  }
  return model
}

/** Computes the heads' values for a row into `sums`. */
export function predict(
  data: Dataset,
  model: LinearModel,
  row: number,
  value: number,
  sums: Float64Array,
): void {
  const { heads, grams, shape, rarity } = model
  sums.fill(0)
  for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) {
    const gram = data.grams[at]!
    const size = rarity[gram]! * value
    if (size === 0) continue
    for (let head = 0; head < heads; head++) sums[head]! += grams[gram * heads + head]! * size
  }
  for (let feature = 0; feature < shapeFeatureCount; feature++) {
    const size = data.shapes[row * shapeFeatureCount + feature]!
    if (size === 0) continue
    for (let head = 0; head < heads; head++) sums[head]! += shape[feature * heads + head]! * size
  }
  for (let head = 0; head < heads; head++) sums[head]! += shape[shapeFeatureCount * heads + head]!
}

function gramSquares(data: Dataset, { rarity }: LinearModel, row: number, value: number): number {
  let squares = 0
  for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++)
    squares += (rarity[data.grams[at]!]! * value) ** 2
  return squares
}

/** Includes the bias. */
function shapeSquares(data: Dataset, row: number): number {
  let squares = biasSize
  for (let feature = 0; feature < shapeFeatureCount; feature++)
    squares += data.shapes[row * shapeFeatureCount + feature]! ** 2
  return squares
}

/** The bias is regularized less than the features. */
const biasSize = 20

function move(
  data: Dataset,
  { heads, grams, shape, rarity }: LinearModel,
  row: number,
  value: number,
  step: Float64Array,
  options: FitOptions,
): void {
  for (let head = 0; head < heads; head++) step[head]! /= options.gramRidge[head]!
  for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) {
    const gram = data.grams[at]!
    const size = rarity[gram]! * value
    if (size === 0) continue
    for (let head = 0; head < heads; head++) grams[gram * heads + head]! += step[head]! * size
  }
  for (let head = 0; head < heads; head++) step[head]! *= options.gramRidge[head]! / options.shapeRidge[head]!
  for (let feature = 0; feature < shapeFeatureCount; feature++) {
    const size = data.shapes[row * shapeFeatureCount + feature]!
    if (size === 0) continue
    for (let head = 0; head < heads; head++) shape[feature * heads + head]! += step[head]! * size
  }
  for (let head = 0; head < heads; head++) shape[shapeFeatureCount * heads + head]! += step[head]! * biasSize
}
