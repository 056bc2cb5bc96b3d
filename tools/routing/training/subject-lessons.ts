import { subjectDimensions, type Subjects } from '@turnpike/routing/scoring/subjects'
import type { Dataset } from './dataset.ts'
import { knownWordsOf, type Lessons } from './fit.ts'
import { pairGain, subjectOf } from './lessons.ts'
import { leadingVectors } from './leading-vectors.ts'
import { benchmarkOf, type Row } from './rows.ts'

/* Positions of subjects: subjects whose prompts use the same words are close to each other. The positions are
   the subjects' mean prompts along their principal components, scaled to a distance of 1. */

export interface SubjectLessons extends Lessons {
  subjects: Subjects
}

interface Subject {
  rows: number[]
  /** Relative to the mean of its benchmark. */
  worth: number
}

/** What rows with results of the pair teach about their subject's position. */
export function subjectLessonsOf(
  data: Dataset,
  isForTraining: (row: Row) => boolean,
  rarity: Float32Array,
): SubjectLessons {
  const subjects = subjectsOf(data.rows, isForTraining)
  const points = pointsOf(likenessOf(data, subjects, rarity))
  const targets = new Float32Array(data.rows.length * subjectDimensions)
  const weights = new Float32Array(data.rows.length * subjectDimensions)
  for (const [subject, { rows }] of subjects.entries()) {
    const point = points.subarray(subject * subjectDimensions, (subject + 1) * subjectDimensions)
    for (const row of rows) {
      targets.set(point, row * subjectDimensions)
      weights.fill(1, row * subjectDimensions, (row + 1) * subjectDimensions)
    }
  }
  const worths = Float32Array.from(subjects, ({ worth }) => worth)
  return { heads: subjectDimensions, targets, weights, subjects: { points, worths } }
}

function subjectsOf(rows: readonly Row[], isForTraining: (row: Row) => boolean): Subject[] {
  const benchmarks = new Map<string, Map<string, { rows: number[]; won: number }>>()
  for (const [index, row] of rows.entries()) {
    const gain = isForTraining(row) ? pairGain(row) : undefined
    if (gain === undefined) continue
    const benchmark = benchmarks.get(benchmarkOf(row)) ?? new Map<string, { rows: number[]; won: number }>()
    benchmarks.set(benchmarkOf(row), benchmark)
    const subject = benchmark.get(subjectOf(row)) ?? { rows: [], won: 0 }
    benchmark.set(subjectOf(row), subject)
    subject.rows.push(index)
    subject.won += gain
  }
  return [...benchmarks.values()].flatMap((benchmark) => {
    const own = [...benchmark.values()]
    const usual =
      own.reduce((sum, { won }) => sum + won, 0) / own.reduce((sum, one) => sum + one.rows.length, 0)
    return own.map(({ rows: ofSubject, won }) => ({ rows: ofSubject, worth: won / ofSubject.length - usual }))
  })
}

/** Centred inner products of the subjects' mean prompts. */
function likenessOf(data: Dataset, subjects: readonly Subject[], rarity: Float32Array): Float64Array[] {
  const means = subjects.map(({ rows }) => {
    const mean = new Float64Array(rarity.length)
    for (const row of rows) {
      const { value } = knownWordsOf(data, rarity, row)
      for (let at = data.starts[row]!; at < data.starts[row + 1]!; at++)
        mean[data.grams[at]!]! += (rarity[data.grams[at]!]! * value) / rows.length
    }
    return mean
  })
  const middle = new Float64Array(rarity.length)
  for (const mean of means)
    for (let gram = 0; gram < middle.length; gram++) middle[gram]! += mean[gram]! / means.length
  for (const mean of means) for (let gram = 0; gram < middle.length; gram++) mean[gram]! -= middle[gram]!
  return means.map((mean) => Float64Array.from(means, (other) => innerProduct(mean, other)))
}

function innerProduct(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}

function pointsOf(likeness: readonly Float64Array[]): Float32Array {
  const directions = leadingVectors(likeness, Math.min(subjectDimensions, likeness.length - 1))
  const points = new Float32Array(likeness.length * subjectDimensions)
  for (let subject = 0; subject < likeness.length; subject++) {
    const size = Math.hypot(...directions.map((direction) => direction[subject]!))
    for (const [dimension, direction] of directions.entries())
      if (size > 0) points[subject * subjectDimensions + dimension] = direction[subject]! / size
  }
  return points
}
