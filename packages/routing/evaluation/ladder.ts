import { cheapestTierWithin } from '../scoring/profiles.ts'
import { tiers } from '../tier.ts'
import type { Row } from '../training/rows.ts'
import { estimate, percent, shownPercent } from './bootstrap.ts'
import type { ScoredRow } from './scored-rows.ts'

/** A model a tier, and what an answer of it costs, in any unit. */
interface Ladder {
  name: string
  isOn: (row: Row) => boolean
  models: readonly string[]
  costOf: (row: Row, tier: number) => number
}

/** List prices of late 2024 in USD per million output tokens, times answers' length: o1-mini thinks first. */
const zeroEvalCosts = [0.2, 0.6, 15, 12 * 4]

const ladders: readonly Ladder[] = [
  {
    name: 'ZeroEval (gsm, math-l5, crux)',
    isOn: ({ source }) => source.startsWith('zeroeval-'),
    models: [
      'meta-llama-3-8b-instruct',
      'gpt-4o-mini-2024-07-18',
      'claude-3-5-sonnet-20241022',
      'o1-mini-2024-09-12',
    ],
    costOf: (_, tier) => zeroEvalCosts[tier]!,
  },
]

interface Point {
  cost: number
  accuracy: number
}

const deltas = Array.from({ length: 121 }, (_, step) => (step / 120) ** 1.5 * 0.8)

/** Cheapest first, each as a share of what always asking the strongest costs and gets. */
function curveOf(
  ladder: Ladder,
  rows: readonly ScoredRow[],
  chosen: (one: ScoredRow, step: number) => number,
): Point[] {
  let bestCost = 0
  let bestAccuracy = 0
  for (const { row } of rows) {
    bestCost += ladder.costOf(row, tiers.length - 1)
    bestAccuracy += row.labels[ladder.models.at(-1)!]!
  }
  const points = deltas.map((_, step) => {
    let cost = 0
    let accuracy = 0
    for (const one of rows) {
      const tier = chosen(one, step)
      cost += ladder.costOf(one.row, tier)
      accuracy += one.row.labels[ladder.models[tier]!]!
    }
    return { cost: cost / bestCost, accuracy: accuracy / bestAccuracy }
  })
  return points.sort((a, b) => a.cost - b.cost)
}

function costAt(points: readonly Point[], accuracy: number): number {
  return points.find((point) => point.accuracy >= accuracy)?.cost ?? 1
}

function accuracyAt(points: readonly Point[], cost: number): number {
  return Math.max(0, ...points.filter((point) => point.cost <= cost).map((point) => point.accuracy))
}

export const ladderHeading = [
  '| ladder and chooser | 95 % of best accuracy at | 98 % at | accuracy at 10 % cost | at 25 % | at 50 % |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** Costs and accuracies as shares of those of always asking the strongest. */
export function ladderLines(scored: readonly ScoredRow[]): string[] {
  return ladders.flatMap((ladder) => {
    const rows = scored.filter(
      ({ row }) => ladder.isOn(row) && ladder.models.every((model) => row.labels[model] !== undefined),
    )
    if (rows.length === 0) return []
    const lengths = rows.map(({ row }) => row.prompt.length).sort((a, b) => a - b)
    const byScore = ({ score }: ScoredRow, step: number): number =>
      tiers.indexOf(cheapestTierWithin(score.probabilities, deltas[step]!))
    const shareAt = (step: number): number => 1 - step / (deltas.length - 1)
    const byLength = ({ row }: ScoredRow, step: number): number => {
      const bound = lengths[Math.floor(lengths.length * (1 - shareAt(step)))] ?? Infinity
      return row.prompt.length >= bound ? tiers.length - 1 : 1
    }
    const byChance = ({ row }: ScoredRow, step: number): number =>
      (Number.parseInt(row.key.slice(6), 16) % 1000) / 1000 < shareAt(step) ? tiers.length - 1 : 1
    const cost95 = estimate(rows.length, (indexes) =>
      costAt(
        curveOf(
          ladder,
          Array.from(indexes, (index) => rows[index]!),
          byScore,
        ),
        0.95,
      ),
    )
    return [
      lineOf(
        `${ladder.name}, ${rows.length} prompts: scorer`,
        curveOf(ladder, rows, byScore),
        shownPercent(cost95),
      ),
      lineOf('by length (MEDIUM or strongest)', curveOf(ladder, rows, byLength)),
      lineOf('random (MEDIUM or strongest)', curveOf(ladder, rows, byChance)),
      '| always strongest | 100 % | 100 % | – | – | – |',
    ]
  })
}

function lineOf(name: string, points: readonly Point[], cost95 = percent(costAt(points, 0.95))): string {
  const accuracies = [0.1, 0.25, 0.5].map((cost) => percent(accuracyAt(points, cost)))
  return `| ${[name, cost95, percent(costAt(points, 0.98)), ...accuracies].join(' | ')} |`
}
