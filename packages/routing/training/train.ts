import { createHash } from 'node:crypto'
import { shapeFeatureCount } from '../scoring/features/shape-features.ts'
import { familiarity, hardness, headCount, worth } from '../scoring/heads.ts'
import { rankingConstants } from '../scoring/ranking.ts'
import { fingerprintOf, placeOf, placesPerSet, setOf } from '../scoring/vocabulary.ts'
import { contentBytes, encodeWeights, weightsVersion } from '../scoring/weights.ts'
import type { Dataset } from './dataset.ts'
import { lessonCount, subjectWorth } from './lesson-heads.ts'
import { fit, rarityOf, teaches, type FitOptions, type Lessons, type LinearModel } from './fit.ts'
import { lessonsOf } from './lessons.ts'
import type { Row } from './rows.ts'

const options: FitOptions = {
  epochs: 6,
  seed: 1,
  gramRidge: Array.from({ length: lessonCount }, (_, head) =>
    head === worth ? 60 : head === subjectWorth ? 8 : head === hardness ? 20 : 35,
  ),
  // What hard prompts of one benchmark look like is not what those of another do.
  shapeRidge: Array.from({ length: lessonCount }, (_, head) => (head === hardness ? 3_000 : 300)),
}

/** Enough to tell which n-grams matter. */
const selectionEpochs = 3

/** 16,000 n-grams: 9 bytes each. */
const sets = 4_000

/** How much each head has to say in which n-grams are kept. */
const says = Array.from({ length: headCount }, (_, head) =>
  head === worth ? 3 : head === hardness || head === familiarity ? 0.5 : 1,
)

/** An n-gram of fewer prompts that are learned from is noise. */
const minPrompts = 3

/** What weights and ranking depend on beside the rows and what they teach. */
const settings = { options, selectionEpochs, sets, says, minPrompts, rankingConstants, weightsVersion }

/** Trains on some rows and answers the file of weights. The same rows give the same bytes. */
export function train(data: Dataset, isForTraining: (row: Row) => boolean): Uint8Array {
  const lessons = lessonsOf(data, isForTraining)
  const rarity = raritiesOf(data, lessons)
  const whole = joined(fit(data, lessons, rarity, { ...options, epochs: selectionEpochs }))
  const kept = keepWeightiest(data, whole, lessons)
  const final = joined(fit(data, lessons, kept, options))
  return fileOf(data, final, lessons)
}

/** Puts `subjectWorth` into `worth`: both are sums over the same features. */
function joined({ grams, shape, rarity }: LinearModel): LinearModel {
  return { grams: joinedHeads(grams), shape: joinedHeads(shape), rarity }
}

function joinedHeads(values: Float32Array): Float32Array {
  const joint = new Float32Array((values.length / lessonCount) * headCount)
  for (let from = 0, to = 0; to < joint.length; from += lessonCount, to += headCount) {
    for (let head = 0; head < headCount; head++) joint[to + head] = values[from + head]!
    joint[to + worth]! += values[from + subjectWorth]!
  }
  return joint
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

/** Rarities with 0 for all n-grams but those that say most and find a place in the table. */
function keepWeightiest(data: Dataset, { grams, rarity }: LinearModel, lessons: Lessons): Float32Array {
  const importance = new Float64Array(rarity.length)
  const spread = new Float64Array(headCount)
  for (let at = 0; at < grams.length; at++) spread[at % headCount]! += grams[at]! ** 2
  const uses = new Float64Array(rarity.length)
  const everyday = everydayWords(data, lessons)
  for (let row = 0; row < data.rows.length; row++) {
    // Heads of the ranking are not asked: their weights are no measure of how much a row tells.
    const weight = Math.max(...lessons.weights.subarray(row * lessonCount, row * lessonCount + hardness))
    for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++) uses[data.grams[at]!]! += weight
  }
  for (let gram = 0; gram < rarity.length; gram++) {
    for (let head = 0; head < headCount; head++)
      importance[gram]! += (says[head]! * grams[gram * headCount + head]! ** 2) / spread[head]!
    importance[gram]! *= rarity[gram]! ** 2 * uses[gram]!
  }
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
 * 1 for words of prompts that somebody gave a tier: those who ask like that, in whatever language, are to be
 * known, even where the words weigh nothing.
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

/** -1 where the set is full, or holds one that cannot be told from this one. */
function takePlace(fingerprints: Uint16Array, hash: number): number {
  if (placeOf(hash, fingerprints) !== -1) return -1
  const first = setOf(hash, sets) * placesPerSet
  const free = fingerprints.subarray(first, first + placesPerSet).indexOf(0)
  if (free === -1) return -1
  fingerprints[first + free] = fingerprintOf(hash)
  return first + free
}

function fileOf(data: Dataset, { grams, shape, rarity }: LinearModel, lessons: Lessons): Uint8Array {
  const fingerprints = new Uint16Array(sets * placesPerSet)
  const placed = new Float32Array(sets * placesPerSet * headCount)
  for (let gram = 0; gram < rarity.length; gram++) {
    if (rarity[gram] === 0) continue
    const place = takePlace(fingerprints, data.hashes[gram]!)
    for (let head = 0; head < headCount; head++)
      placed[place * headCount + head] = grams[gram * headCount + head]! * rarity[gram]!
  }
  const gramScales = scalesOf(placed, 127, 0.9995)
  const shapeScales = scalesOf(shape, 32_767, 1)
  const content = contentBytes(
    fingerprints,
    Int8Array.from(placed, (value, at) => rounded(value / gramScales[at % headCount]!, 127)),
    Int16Array.from(shape, (value, at) => rounded(value / shapeScales[at % headCount]!, 32_767)),
  )
  return encodeWeights(
    {
      version: weightsVersion,
      trainingRun: runHash(data, lessons),
      content: createHash('sha256').update(content).digest('hex'),
      rows: data.rows.reduce((count, _, row) => count + (teaches(lessons, row) ? 1 : 0), 0),
      sets,
      heads: headCount,
      shapeFeatures: shapeFeatureCount,
      gramScales,
      shapeScales,
    },
    content,
  )
}

/** By head: what one step of the integer is worth, when this share of the weights is to fit in. */
function scalesOf(values: Float32Array, steps: number, share: number): number[] {
  return Array.from({ length: headCount }, (_, head) => {
    const sizes = values.filter((value, at) => at % headCount === head && value !== 0).map(Math.abs)
    sizes.sort()
    const largest = sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 1
    return Number((largest / steps).toPrecision(6))
  })
}

function rounded(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, Math.round(value)))
}

/** What the weights came from: the rows, what they teach, and how. */
function runHash(data: Dataset, { targets, weights }: Lessons): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  for (const { source, id, key } of data.rows) hash.update(`\n${source} ${id} ${key}`)
  return hash.update(targets).update(weights).digest('hex')
}
