import { createHash } from 'node:crypto'
import { shapeFeatureCount } from '@turnpike/routing/scoring/features/shape-features'
import { packHalves } from '@turnpike/routing/scoring/half-bytes'
import { familiarity, hardness, headCount, worth } from '@turnpike/routing/scoring/heads'
import { rankingConstants } from '@turnpike/routing/scoring/ranking'
import { subjectDimensions } from '@turnpike/routing/scoring/subjects'
import { fingerprintOf, placeOf, placesPerSet, setOf } from '@turnpike/routing/scoring/vocabulary'
import { contentBytes, encodeWeights, pointSteps, weightsVersion } from '@turnpike/routing/scoring/weights'
import type { Dataset } from './dataset.ts'
import { fit, rarityOf, teaches, type FitOptions, type Lessons, type LinearModel } from './fit.ts'
import { lessonsOf } from './lessons.ts'
import type { Row } from './rows.ts'
import { subjectLessonsOf, type SubjectLessons } from './subject-lessons.ts'

const options: FitOptions = {
  epochs: 6,
  seed: 1,
  gramRidge: Array.from({ length: headCount }, (_, head) =>
    head === worth ? 60 : head === hardness ? 20 : 35,
  ),
  // What makes prompts hard in one benchmark differs from other benchmarks.
  shapeRidge: Array.from({ length: headCount }, (_, head) => (head === hardness ? 3_000 : 300)),
}

const subjectOptions: FitOptions = {
  epochs: 6,
  seed: 1,
  gramRidge: Array.from({ length: subjectDimensions }, () => 4),
  shapeRidge: Array.from({ length: subjectDimensions }, () => 300),
}

/** Enough to find out which n-grams matter. */
const selectionEpochs = 3

/** Room for 6,400 n-grams of 21 bytes each. */
const sets = 1_600

/** The weight of each head in the choice of n-grams to keep. */
const says = Array.from({ length: headCount }, (_, head) =>
  head === hardness || head === familiarity ? 0.5 : 1,
)
const subjectSays = Array.from({ length: subjectDimensions }, () => 0.2)

/** The share of each head's weights that must fit into its steps; the few larger ones are clipped. */
const gramShare = 0.9995
/** With more clipping, positions would be off by more than the rounding to seven steps. */
const positionGramShare = 0.995

/** An n-gram that occurs in fewer training prompts is noise. */
const minPrompts = 3

/** What weights and ranking depend on, besides the rows and their lessons. */
const settings = {
  options,
  subjectOptions,
  selectionEpochs,
  sets,
  says,
  subjectSays,
  gramShare,
  positionGramShare,
  minPrompts,
  rankingConstants,
  weightsVersion,
}

/** Trains on some rows and returns the file of weights. The same rows give the same bytes. */
export function train(data: Dataset, isForTraining: (row: Row) => boolean): Uint8Array {
  const lessons = lessonsOf(data, isForTraining)
  const rarity = raritiesOf(data, lessons)
  const subjects = subjectLessonsOf(data, isForTraining, rarity)
  const whole = fit(data, lessons, rarity, { ...options, epochs: selectionEpochs })
  const wholeSubjects = fit(data, subjects, rarity, { ...subjectOptions, epochs: selectionEpochs })
  const importance = importanceOf(whole, says)
  for (const [gram, more] of importanceOf(wholeSubjects, subjectSays).entries()) importance[gram]! += more
  const kept = keepWeightiest(data, importance, rarity, lessons)
  return fileOf(
    data,
    { model: fit(data, lessons, kept, options), lessons },
    { model: fit(data, subjects, kept, subjectOptions), lessons: subjects },
  )
}

function raritiesOf(data: Dataset, lessons: Lessons): Float32Array {
  const counts = new Float64Array(data.hashes.length)
  let taught = 0
  for (let row = 0; row < data.rows.length; row++) {
    if (!teaches(lessons, row)) continue
    taught++
    for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) counts[data.grams[at]!]!++
  }
  return Float32Array.from(counts, (count) => (count < minPrompts ? 0 : rarityOf(count, taught)))
}

/** The importance of each n-gram for the heads, wherever it occurs. */
function importanceOf({ heads, grams, rarity }: LinearModel, sayOf: readonly number[]): Float64Array {
  const spread = new Float64Array(heads)
  for (let at = 0; at < grams.length; at++) spread[at % heads]! += grams[at]! ** 2
  return Float64Array.from(rarity, (_, gram) => {
    let sum = 0
    for (let head = 0; head < heads; head++)
      if (spread[head]! > 0) sum += (sayOf[head]! * grams[gram * heads + head]! ** 2) / spread[head]!
    return sum
  })
}

/** The rarities, with 0 for all n-grams except the most important ones that fit into the table. */
function keepWeightiest(
  data: Dataset,
  importance: Float64Array,
  rarity: Float32Array,
  lessons: Lessons,
): Float32Array {
  const uses = new Float64Array(rarity.length)
  const everyday = everydayWords(data, lessons)
  for (let row = 0; row < data.rows.length; row++) {
    // Excludes the ranking's heads, whose weights do not measure how much a row teaches.
    const weight = Math.max(...lessons.weights.subarray(row * headCount, row * headCount + hardness))
    for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) uses[data.grams[at]!]! += weight
  }
  for (let gram = 0; gram < rarity.length; gram++) importance[gram]! *= rarity[gram]! ** 2 * uses[gram]!
  const order = [...rarity.keys()].filter((gram) => rarity[gram]! > 0)
  order.sort(
    (a, b) =>
      everyday[b]! - everyday[a]! || importance[b]! - importance[a]! || data.hashes[a]! - data.hashes[b]!,
  )
  const kept = new Float32Array(rarity.length)
  const fingerprints = new Uint16Array(sets * placesPerSet)
  for (const gram of order) if (takePlace(fingerprints, data.hashes[gram]!) !== -1) kept[gram] = rarity[gram]!
  return kept
}

/**
 * 1 for words of prompts with a tier assigned by a person: such requests must be recognized in any language,
 * even if the words have low weights.
 */
function everydayWords(data: Dataset, lessons: Lessons): Uint8Array {
  const everyday = new Uint8Array(data.hashes.length)
  for (const [row, { tier }] of data.rows.entries()) {
    if (tier === undefined || !teaches(lessons, row)) continue
    for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++)
      if (data.wholeWords[at] === 1) everyday[data.grams[at]!] = 1
  }
  return everyday
}

/** -1 if the set is full, or already holds a hash with the same fingerprint. */
function takePlace(fingerprints: Uint16Array, hash: number): number {
  if (placeOf(hash, fingerprints) !== -1) return -1
  const first = setOf(hash, sets) * placesPerSet
  const free = fingerprints.subarray(first, first + placesPerSet).indexOf(0)
  if (free === -1) return -1
  fingerprints[first + free] = fingerprintOf(hash)
  return first + free
}

interface LearnedWeights<Taught extends Lessons> {
  model: LinearModel
  lessons: Taught
}

function fileOf(
  data: Dataset,
  heads: LearnedWeights<Lessons>,
  positions: LearnedWeights<SubjectLessons>,
): Uint8Array {
  const { lessons } = heads
  const { points, worths } = positions.lessons.subjects
  const { fingerprints, places } = tableOf(data, heads.model.rarity)
  const grams = quantize(inTable(places, heads.model), headCount, 127, gramShare)
  const shape = quantize(heads.model.shape, headCount, 32_767, 1)
  const positionGrams = quantize(inTable(places, positions.model), subjectDimensions, 7, positionGramShare)
  const positionShape = quantize(positions.model.shape, subjectDimensions, 127, 1)
  const content = contentBytes([
    fingerprints,
    Int8Array.from(grams.steps),
    Int16Array.from(shape.steps),
    packHalves(Int8Array.from(positionGrams.steps)),
    Int8Array.from(positionShape.steps),
    Int8Array.from(points, (value) => Math.round(value * pointSteps)),
  ])
  return encodeWeights(
    {
      version: weightsVersion,
      trainingRun: runHash(data, [lessons, positions.lessons]),
      content: createHash('sha256').update(content).digest('hex'),
      rows: data.rows.reduce((count, _, row) => count + (teaches(lessons, row) ? 1 : 0), 0),
      sets,
      heads: headCount,
      shapeFeatures: shapeFeatureCount,
      gramScales: grams.scales,
      shapeScales: shape.scales,
      positionGramScales: positionGrams.scales,
      positionShapeScales: positionShape.scales,
      subjectWorths: Array.from(worths, (value) => Number(value.toPrecision(4))),
    },
    content,
  )
}

/** The table of n-grams, and the place of each kept one; -1 for others. */
function tableOf(data: Dataset, rarity: Float32Array): { fingerprints: Uint16Array; places: Int32Array } {
  const fingerprints = new Uint16Array(sets * placesPerSet)
  const places = Int32Array.from(rarity, (value, gram) =>
    value === 0 ? -1 : takePlace(fingerprints, data.hashes[gram]!),
  )
  return { fingerprints, places }
}

/** The n-grams' weights in the table's order, times their rarity, which the scorer does not know. */
function inTable(places: Int32Array, { heads, grams, rarity }: LinearModel): Float32Array {
  const weights = new Float32Array(sets * placesPerSet * heads)
  for (const [gram, place] of places.entries()) {
    if (place === -1) continue
    for (let head = 0; head < heads; head++)
      weights[place * heads + head] = grams[gram * heads + head]! * rarity[gram]!
  }
  return weights
}

/** Rounds weights to at most `most` steps, and returns the steps' sizes by head, so that `share` fit. */
function quantize(
  values: Float32Array,
  heads: number,
  most: number,
  share: number,
): { steps: Float32Array; scales: number[] } {
  const scales = Array.from({ length: heads }, (_, head) => {
    const sizes = values.filter((value, at) => at % heads === head && value !== 0).map(Math.abs)
    sizes.sort()
    const largest = sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 1
    return Number((largest / most).toPrecision(6))
  })
  return { steps: values.map((value, at) => roundWithin(value / scales[at % heads]!, most)), scales }
}

function roundWithin(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, Math.round(value)))
}

/** Identifies the training data: the rows, their lessons, and the settings. */
function runHash(data: Dataset, taught: readonly Lessons[]): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  for (const { source, id, key } of data.rows) hash.update(`\n${source} ${id} ${key}`)
  for (const { targets, weights } of taught) hash.update(targets).update(weights)
  return hash.digest('hex')
}
