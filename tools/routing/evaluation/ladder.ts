import { cheapestTierWithin } from '@turnpike/routing/scoring/profiles'
import { tiers } from '@turnpike/routing'
import type { Row } from '../training/rows.ts'
import { estimate, percent, formatPercent } from './bootstrap.ts'
import type { ScoredRow } from './scored-rows.ts'

/** One model per tier, and the cost of an answer by each, in any unit. */
interface Ladder {
  name: string
  isOn: (row: Row) => boolean
  models: readonly string[]
  costs: readonly number[]
}

const ladder: Ladder = {
  name: 'ZeroEval (gsm, math-l5, crux)',
  isOn: ({ source }) => source.startsWith('zeroeval-'),
  models: [
    'meta-llama-3-8b-instruct',
    'gpt-4o-mini-2024-07-18',
    'claude-3-5-sonnet-20241022',
    'o1-mini-2024-09-12',
  ],
  // List prices of late 2024 in USD per million output tokens, times answers' length: o1-mini reasons first.
  costs: [0.2, 0.6, 15, 12 * 4],
}

interface Point {
  cost: number
  accuracy: number
}

/**
 * The tier that answers a prompt at a step of the sweep, from spending everything to spending next to
 * nothing.
 */
type Chooser = (one: ScoredRow, step: number) => number

const steps = 240

/**
 * Cost and accuracy relative to always using the strongest model. Includes only points that no cheaper point
 * reaches, cheapest first.
 */
function curveOf(ladder: Ladder, rows: readonly ScoredRow[], chosen: Chooser): Point[] {
  const strongest = totalOf(ladder, rows, () => tiers.length - 1, 0)
  const points = Array.from({ length: steps + 1 }, (_, step) => totalOf(ladder, rows, chosen, step))
    .map(({ cost, accuracy }) => ({ cost: cost / strongest.cost, accuracy: accuracy / strongest.accuracy }))
    .sort((a, b) => a.cost - b.cost)
  let best = -1
  return points.filter(({ accuracy }) => {
    const isBetter = accuracy > best
    if (isBetter) best = accuracy
    return isBetter
  })
}

function totalOf(ladder: Ladder, rows: readonly ScoredRow[], chosen: Chooser, step: number): Point {
  let cost = 0
  let accuracy = 0
  for (const one of rows) {
    const tier = chosen(one, step)
    cost += ladder.costs[tier]!
    accuracy += one.row.labels[ladder.models[tier]!]!
  }
  return { cost, accuracy }
}

/** A point between two points of the curve, reached by assigning prompts to one or the other at random. */
function between(
  points: readonly Point[],
  of: 'cost' | 'accuracy',
  at: number,
  wanted: 'cost' | 'accuracy',
): number {
  const next = points.findIndex((point) => point[of] >= at)
  if (next === -1) return wanted === 'cost' ? 1 : points.at(-1)!.accuracy
  if (next === 0) return of === 'cost' && points[0]!.cost > at ? Number.NaN : points[0]![wanted]
  const [before, after] = [points[next - 1]!, points[next]!]
  return before[wanted] + ((at - before[of]) / (after[of] - before[of])) * (after[wanted] - before[wanted])
}

export const ladderHeading = [
  '| ladder and chooser | 95 % of best accuracy at | 98 % at | accuracy at 10 % cost | at 25 % | at 50 % |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** Costs and accuracies as shares of those of always using the strongest model. */
export function ladderLines(scored: readonly ScoredRow[]): string[] {
  const rows = scored.filter(
    ({ row }) => ladder.isOn(row) && ladder.models.every((model) => row.labels[model] !== undefined),
  )
  if (rows.length === 0) return []
  const cost95 = estimate(rows.length, (indexes) => {
    const drawn = Array.from(indexes, (index) => rows[index]!)
    return between(curveOf(ladder, drawn, byValue), 'accuracy', 0.95, 'cost')
  })
  return [
    lineOf(
      `${ladder.name}, ${rows.length} prompts: scorer`,
      curveOf(ladder, rows, byValue),
      formatPercent(cost95),
    ),
    lineOf('scorer, by the rule of the profiles', curveOf(ladder, rows, byDelta)),
    lineOf('by length (MEDIUM or strongest)', curveOf(ladder, rows, byLengthOf(rows))),
    lineOf('random (MEDIUM or strongest)', curveOf(ladder, rows, byChance)),
    '| always strongest | 100 % | 100 % | – | – | – |',
  ]
}

/** The tier with the highest probability minus price, at ever higher prices. */
function byValue({ score }: ScoredRow, step: number): number {
  const pricePerCost = step === 0 ? 0 : Math.exp(-7.5 + (step / steps) * 8) / ladder.costs.at(-1)!
  let best = 0
  let bestValue = -Infinity
  for (const [tier, name] of tiers.entries()) {
    const value = score.probabilities[name] - pricePerCost * ladder.costs[tier]!
    if (value > bestValue) {
      bestValue = value
      best = tier
    }
  }
  return best
}

function byDelta({ score }: ScoredRow, step: number): number {
  return tiers.indexOf(cheapestTierWithin(score.probabilities, (step / steps) ** 1.5 * 0.8))
}

function byLengthOf(rows: readonly ScoredRow[]): Chooser {
  const lengths = rows.map(({ row }) => row.prompt.length).sort((a, b) => a - b)
  return ({ row }, step) => {
    const bound = lengths[Math.floor((lengths.length * step) / steps)] ?? Infinity
    return row.prompt.length >= bound ? tiers.length - 1 : 1
  }
}

function byChance({ row }: ScoredRow, step: number): number {
  return (Number.parseInt(row.key.slice(6), 16) % 1000) / 1000 < 1 - step / steps ? tiers.length - 1 : 1
}

function lineOf(name: string, points: readonly Point[], cost95?: string): string {
  const formatShare = (value: number): string => (Number.isNaN(value) ? '–' : percent(value))
  const cells = [
    name,
    cost95 ?? formatShare(between(points, 'accuracy', 0.95, 'cost')),
    formatShare(between(points, 'accuracy', 0.98, 'cost')),
    ...[0.1, 0.25, 0.5].map((cost) => formatShare(between(points, 'cost', cost, 'accuracy'))),
  ]
  return `| ${cells.join(' | ')} |`
}
