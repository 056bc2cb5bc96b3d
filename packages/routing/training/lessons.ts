import { headCount, overComplex, overMedium, overSimple, simpleSucceeds, worth } from '../scoring/heads.ts'
import { profileDeltas } from '../scoring/profiles.ts'
import { tiers, type Tier } from '../tier.ts'
import type { Lessons } from './fit.ts'
import { successByTier } from './model-tiers.ts'
import { benchmarkOf, syntheticSource, type Row } from './rows.ts'

/**
 * What an opinion that a prompt needs a tier says of the tiers below it: they succeed less often by twice
 * what the profile `auto` lets pass, so that a prompt of which opinions are divided stands just at the
 * border.
 */
const opinionGap = 2 * profileDeltas.auto

/** An opinion is one clear answer, an outcome one throw of a die. */
const opinionWeight = 6
const syntheticWeight = 4
const askedForHardWeight = 2

/** The ranking is learned from outcomes of one pair of models; what else there is only keeps it sensible. */
const rankingWeights = { pair: 1, smallPair: 2, otherPair: 0.5, tiers: 0.05, opinion: 0.5 }

/**
 * Outside ZeroEval no REASONING model was asked: there it is held to win about this much, with little
 * weight. (The translations' originals are in ZeroEval, where it wins nothing.)
 */
const unaskedReasoning = { gain: 0.02, weight: 0.3 }

/** Part of a target that is the mean of its subject in the same source: a single outcome is mostly noise. */
const subjectPart = 0.35

interface Lesson {
  target: number
  weight: number
}

/** What rows teach. Those for which `isForTraining` says no have the weight 0 and touch nothing. */
export function lessonsOf(rows: readonly Row[], isForTraining: (row: Row) => boolean): Lessons {
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
    for (let head = 0; head < headCount; head++) {
      const at = index * headCount + head
      if (weights[at]! > 0) targets[at] = blended(targets[at]!, subjects.get(subjectOf(row)), head)
    }
  }
  return { targets, weights }
}

/** By head. */
function lessonsOfRow(row: Row): Lesson[] {
  const lessons = Array.from({ length: headCount }, (): Lesson => ({ target: 0, weight: 0 }))
  if (row.tier !== undefined) teachOpinion(lessons, row, row.tier)
  else if (row.source === 'arena-hard-prompts') {
    // Collected because they are hard; nobody's success is known.
    lessons[overSimple] = { target: opinionGap, weight: askedForHardWeight }
    lessons[worth] = { target: opinionGap, weight: rankingWeights.opinion }
  } else if (row.source !== 'routellm-mtbench') teachOutcome(lessons, row)
  return lessons
}

function teachOpinion(lessons: Lesson[], row: Row, tier: Tier): void {
  const needed = tiers.indexOf(tier)
  const weight = row.source === syntheticSource ? syntheticWeight : opinionWeight
  const gapFrom = (least: number): number => (needed >= least ? opinionGap : 0)
  lessons[worth] = { target: (needed * opinionGap) / 1.5, weight: rankingWeights.opinion }
  lessons[overSimple] = { target: gapFrom(1), weight }
  lessons[overMedium] = { target: gapFrom(2), weight }
  lessons[overComplex] = { target: gapFrom(3), weight }
  lessons[simpleSucceeds] = { target: 0.97 - needed * opinionGap, weight }
}

function teachOutcome(lessons: Lesson[], row: Row): void {
  // Ten translations of one question are one question.
  const isTranslation = row.source === 'mgsm-translated'
  const weight = isTranslation ? 0.4 : 1
  const [simple, medium, complex, reasoning] = successByTier(row.labels)
  const teach = (head: number, above: number | undefined, below: number | undefined): void => {
    if (above !== undefined && below !== undefined) lessons[head] = { target: above - below, weight }
  }
  teach(overSimple, complex, simple)
  teach(overMedium, complex, medium)
  teach(overComplex, reasoning, complex)
  teach(simpleSucceeds, simple, 0)
  if (reasoning === undefined)
    lessons[overComplex] = isTranslation
      ? { target: 0, weight }
      : { target: unaskedReasoning.gain, weight: unaskedReasoning.weight }
  lessons[worth] = worthOf(row, lessons[overSimple]!)
}

function worthOf(row: Row, overSimple: Lesson): Lesson {
  const weak = row.labels['mixtral-8x7b-instruct-v0.1'] ?? row.labels['mixtral-8x7b-chat']
  const strong = row.labels['gpt-4-1106-preview']
  if (weak === undefined || strong === undefined || row.source === 'mgsm-translated')
    return { target: overSimple.target, weight: overSimple.weight * rankingWeights.tiers }
  const benchmark = benchmarkOf(row)
  const { pair, smallPair, otherPair } = rankingWeights
  return {
    target: strong - weak,
    weight: benchmark === 'mmlu' ? pair : benchmark === 'gsm8k' ? smallPair : otherPair,
  }
}

function subjectOf(row: Row): string {
  return `${row.source} ${row.domain ?? ''}`
}

/** Sums and counts of each head. */
function addToSubject(subjects: Map<string, Float64Array>, row: Row, head: number, target: number): void {
  const name = subjectOf(row)
  const totals = subjects.get(name) ?? new Float64Array(headCount * 2)
  subjects.set(name, totals)
  totals[head]! += target
  totals[headCount + head]!++
}

function blended(target: number, totals: Float64Array | undefined, head: number): number {
  const count = totals?.[headCount + head] ?? 0
  // Too few to speak of a subject's mean.
  if (totals === undefined || count < 5) return target
  return (1 - subjectPart) * target + subjectPart * (totals[head]! / count)
}
