import {
  familiarity,
  hardness,
  headCount,
  overComplex,
  overMedium,
  overSimple,
  simpleSucceeds,
  worth,
} from '@turnpike/routing/scoring/heads'
import { worthOfLength } from '@turnpike/routing/scoring/ranking'
import { profileDeltas, tiers, type Tier } from '@turnpike/routing'
import type { Dataset } from './dataset.ts'
import type { Lessons } from './fit.ts'
import { successByTier } from './model-tiers.ts'
import { benchmarkOf, syntheticSource, type Row } from './rows.ts'

/**
 * What an opinion that a prompt needs a tier implies for the tiers below: their success rate is lower by
 * twice the amount that the profile `auto` tolerates. So a prompt with divided opinions is right at the
 * border.
 */
const opinionGap = 2 * profileDeltas.auto

/** An opinion is one clear statement, but an outcome is random like a throw of dice. */
const opinionWeight = 6
const syntheticWeight = 4
const askedForHardWeight = 2

/** The ranking is learned from outcomes of one pair of models; the other data only keeps it plausible. */
const rankingWeights = {
  pair: 1,
  smallPair: 2,
  otherPair: 0.5,
  tiers: 0.05,
  opinion: 0.5,
  /** Low: what people call hard is not where cheap models fail. */
  opinionOfHardness: 0.01,
}

/**
 * Only in ZeroEval were REASONING models evaluated. Elsewhere they are assumed to win about this much, with a
 * low weight. (The translations' originals are in ZeroEval, where they win nothing.)
 */
const unaskedReasoning = { gain: 0.02, weight: 0.3 }

/**
 * Where no MEDIUM model was evaluated, the assumed share of the SIMPLE models' failures that MEDIUM ones have
 * too: 0.19 to 0.37 on the four large benchmarks with models of both tiers (MMLU-Pro and ZeroEval's three).
 */
const unaskedMedium = { part: 0.3, weight: 0.5 }

/** How much of a target is its subject's mean in the same source: a single outcome is mostly noise. */
const subjectPart = 0.35
/** The heads that blend. `worth` excludes its subject's mean, and `hardness` is within its benchmark. */
const blendedHeads: readonly number[] = [overSimple, overMedium, overComplex, simpleSucceeds, familiarity]

/** A few clear examples count as much as many unclear ones. */
const familiarityWeight = 3
/** Below 1, to regularize more: `hardness` must also hold for unseen benchmarks. */
const hardnessWeight = 0.7

/** The usual gain of strong models in a benchmark. Opinions are relative to it, outcomes to their mean. */
const usualWorth = 0.15
/** The middle of the tiers in opinions: a little above MEDIUM. */
const usualTier = 1.2

/** The benchmarks in which one pair of models answered enough prompts to learn `worth`. */
const familiarBenchmarks: readonly string[] = ['mmlu', 'gsm8k']

interface Lesson {
  target: number
  weight: number
}

/** The targets of all rows. Rows for which `isForTraining` is false have the weight 0 and affect nothing. */
export function lessonsOf(data: Dataset, isForTraining: (row: Row) => boolean): Lessons {
  const { rows } = data
  const targets = new Float32Array(rows.length * headCount)
  const weights = new Float32Array(rows.length * headCount)
  const subjects = new Map<string, Float64Array>()
  for (const [index, row] of rows.entries()) {
    if (!isForTraining(row)) continue
    for (const [head, { target, weight }] of lessonsOfRow(row).entries()) {
      targets[index * headCount + head] = target
      weights[index * headCount + head] = weight
      if (weight > 0 && row.tier === undefined) addToSubject(subjects, row, head, target)
    }
  }
  for (const [index, row] of rows.entries()) {
    if (row.tier !== undefined) continue
    const totals = subjects.get(subjectOf(row))
    for (let head = 0; head < headCount; head++) {
      const at = index * headCount + head
      if (weights[at]! > 0 && blendedHeads.includes(head))
        targets[at] = blendTarget(targets[at]!, totals, head)
    }
    // The subject's own part of `worth` is learned from the subject (`subject-lessons.ts`).
    if (totals !== undefined && totals[headCount + worth]! > 0 && weights[index * headCount + worth]! > 0)
      targets[index * headCount + worth]! -= totals[worth]! / totals[headCount + worth]!
  }
  const lessons = { heads: headCount, targets, weights }
  for (let row = 0; row < rows.length; row++)
    targets[row * headCount + worth]! -= worthOfLength(data.lengths[row]!)
  compareWithin(data.rows, lessons, worth)
  compareWithin(data.rows, lessons, hardness)
  // Equal weights for benchmarks: what is hard in many benchmarks is hard in an unseen one.
  balance(data.rows, lessons, hardness, 0)
  balance(data.rows, lessons, familiarity, 0.5)
  return lessons
}

/** By head. */
function lessonsOfRow(row: Row): Lesson[] {
  const lessons = Array.from({ length: headCount }, (): Lesson => ({ target: 0, weight: 0 }))
  if (row.tier !== undefined) teachOpinion(lessons, row, row.tier)
  else if (row.source === 'arena-hard-prompts') {
    // Collected because these are hard; no model's success is known.
    lessons[overSimple] = { target: opinionGap, weight: askedForHardWeight }
    lessons[worth] = { target: opinionGap - usualWorth, weight: rankingWeights.opinion }
    lessons[hardness] = { target: opinionGap, weight: rankingWeights.opinionOfHardness }
  } else if (!isRating(row)) teachOutcome(lessons, row)
  return lessons
}

function teachOpinion(lessons: Lesson[], row: Row, tier: Tier): void {
  const needed = tiers.indexOf(tier)
  const weight = row.source === syntheticSource ? syntheticWeight : opinionWeight
  const gapFrom = (least: number): number => (needed >= least ? opinionGap : 0)
  lessons[worth] = { target: (needed * opinionGap) / 1.5 - usualWorth, weight: rankingWeights.opinion }
  lessons[hardness] = {
    target: (needed - usualTier) * opinionGap,
    weight: rankingWeights.opinionOfHardness,
  }
  lessons[familiarity] = { target: 0, weight: familiarityWeight }
  lessons[overSimple] = { target: gapFrom(1), weight }
  lessons[overMedium] = { target: gapFrom(2), weight }
  lessons[overComplex] = { target: gapFrom(3), weight }
  lessons[simpleSucceeds] = { target: 0.97 - needed * opinionGap, weight }
}

function teachOutcome(lessons: Lesson[], row: Row): void {
  // Ten translations of one question count as one question.
  const isTranslation = row.source === 'mgsm-translated'
  const weight = isTranslation ? 0.4 : 1
  const [simple, medium, complex, reasoning] = successByTier(row.labels)
  const teach = (head: number, above: number | undefined, below: number | undefined): void => {
    if (above !== undefined && below !== undefined) lessons[head] = { target: above - below, weight }
  }
  teach(overSimple, complex, simple)
  teach(overMedium, complex, medium)
  if (medium === undefined && complex !== undefined && simple !== undefined)
    lessons[overMedium] = {
      target: unaskedMedium.part * (complex - simple),
      weight: weight * unaskedMedium.weight,
    }
  teach(overComplex, reasoning, complex)
  teach(simpleSucceeds, simple, 0)
  if (simple !== undefined && !isTranslation)
    lessons[hardness] = { target: 1 - simple, weight: hardnessWeight }
  const isFamiliar = familiarBenchmarks.includes(benchmarkOf(row))
  lessons[familiarity] = { target: isFamiliar ? 1 : 0, weight: weight * familiarityWeight }
  if (reasoning === undefined)
    lessons[overComplex] = isTranslation
      ? { target: 0, weight }
      : { target: unaskedReasoning.gain, weight: unaskedReasoning.weight }
  lessons[worth] = worthOf(row, lessons[overSimple]!)
}

/** MT-Bench's answers are rated from 1 to 10, so they are no outcomes. */
function isRating({ source }: Row): boolean {
  return source === 'routellm-mtbench'
}

/** The gain by the strong model of the pair; undefined if not both models answered this very prompt. */
export function pairGain(row: Row): number | undefined {
  if (isRating(row)) return undefined
  const weak = row.labels['mixtral-8x7b-instruct-v0.1'] ?? row.labels['mixtral-8x7b-chat']
  const strong = row.labels['gpt-4-1106-preview']
  if (weak === undefined || strong === undefined || row.source === 'mgsm-translated') return undefined
  return strong - weak
}

function worthOf(row: Row, overSimple: Lesson): Lesson {
  const gain = pairGain(row)
  if (gain === undefined)
    return { target: overSimple.target, weight: overSimple.weight * rankingWeights.tiers }
  const benchmark = benchmarkOf(row)
  const { pair, smallPair, otherPair } = rankingWeights
  return {
    target: gain,
    weight: benchmark === 'mmlu' ? pair : benchmark === 'gsm8k' ? smallPair : otherPair,
  }
}

export function subjectOf(row: Row): string {
  return `${row.source} ${row.domain ?? ''}`
}

/** Adds to the sums and counts of each head. */
function addToSubject(subjects: Map<string, Float64Array>, row: Row, head: number, target: number): void {
  const name = subjectOf(row)
  const totals = subjects.get(name) ?? new Float64Array(headCount * 2)
  subjects.set(name, totals)
  totals[head]! += target
  totals[headCount + head]!++
}

function blendTarget(target: number, totals: Float64Array | undefined, head: number): number {
  const count = totals?.[headCount + head] ?? 0
  // Too few for a mean of the subject.
  if (totals === undefined || count < 5) return target
  return (1 - subjectPart) * target + subjectPart * (totals[head]! / count)
}

/**
 * Subtracts the benchmark's mean from a head's outcomes: differences between benchmarks show which questions
 * they contain, not which prompts are harder.
 */
function compareWithin(rows: readonly Row[], { targets, weights }: Lessons, head: number): void {
  for (const indexes of byBenchmark(rows, weights, head)) {
    let sum = 0
    for (const index of indexes) sum += targets[index * headCount + head]!
    for (const index of indexes) targets[index * headCount + head]! -= sum / indexes.length
  }
}

/**
 * Weights a benchmark by its number of prompts to a power: with 0 all are equal; with 0.5 a benchmark with
 * four times the prompts counts twice, not four times, as much.
 */
function balance(rows: readonly Row[], { weights }: Lessons, head: number, power: number): void {
  const groups = byBenchmark(rows, weights, head)
  const all = groups.reduce((sum, { length }) => sum + length, 0)
  const mean = groups.reduce((sum, { length }) => sum + length ** power, 0) / all
  for (const indexes of groups)
    for (const index of indexes) weights[index * headCount + head]! /= indexes.length ** (1 - power) * mean
}

/** Rows whose outcomes teach a head, grouped by source and benchmark (LLMRouter has thirteen). */
function byBenchmark(rows: readonly Row[], weights: Float32Array, head: number): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, row] of rows.entries()) {
    if (weights[index * headCount + head] === 0 || Object.keys(row.labels).length === 0) continue
    const name = `${row.source} ${row.source === 'llmrouter-nim9' ? row.domain : benchmarkOf(row)}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [index])
    else group.push(index)
  }
  return [...groups.values()]
}
