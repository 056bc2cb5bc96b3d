import { benchmarkOf, type Row } from '../training/rows.ts'
import { estimate, formatEstimate, percent, type Estimate } from './bootstrap.ts'
import { averageRecoveredGap, callsForRecoveredGap, type Pair } from './recovered-gap.ts'
import type { ScoredRow } from './scored-rows.ts'

/** A weak and a strong model that answered the same questions. */
interface Contest {
  source: string
  weak: string
  strong: string
}

const routeLlm = { weak: 'mixtral-8x7b-instruct-v0.1', strong: 'gpt-4-1106-preview' }
const routerBench = { weak: 'mixtral-8x7b-chat', strong: 'gpt-4-1106-preview' }
const zeroEval = { weak: 'gpt-4o-mini-2024-07-18', strong: 'o1-mini-2024-09-12' }

/** One per benchmark. */
export const contests: readonly Contest[] = [
  { source: 'routellm-mmlu', ...routeLlm },
  { source: 'routellm-gsm8k', ...routeLlm },
  { source: 'mmlupro', weak: 'meta-llama-3.1-8b-instruct', strong: 'gemini-1.5-pro-002' },
  { source: 'zeroeval-math-l5', ...zeroEval },
  { source: 'zeroeval-crux', ...zeroEval },
  { source: 'routerbench-arc', ...routerBench },
  { source: 'routerbench-mbpp', ...routerBench },
  { source: 'routerbench-winograde', ...routerBench },
  { source: 'llmrouter-nim9', weak: 'mistral-7b-instruct-v0.3', strong: 'llama-3.1-nemotron-51b-instruct' },
]

export interface ContestFigures {
  contest: Contest
  prompts: number
  gap: Estimate
  byLength: number
  calls50: number
  calls80: number
}

/** Whether a source's row counts: never one that RouteLLM lists as contaminated. */
function isPlayed(row: Row, { source, weak, strong }: Contest): boolean {
  return (
    row.source === source &&
    !row.contaminated &&
    row.labels[weak] !== undefined &&
    row.labels[strong] !== undefined &&
    (source !== 'llmrouter-nim9' || benchmarkOf(row) === 'open-qa')
  )
}

export function figuresOf(contest: Contest, scored: readonly ScoredRow[]): ContestFigures | undefined {
  const played = scored.filter(({ row }) => isPlayed(row, contest))
  if (played.length === 0) return undefined
  const pairOf = (indexes: Int32Array, scoreOf: (one: ScoredRow) => number): Pair => ({
    scores: Float64Array.from(indexes, (index) => scoreOf(played[index]!)),
    weak: Float64Array.from(indexes, (index) => played[index]!.row.labels[contest.weak]!),
    strong: Float64Array.from(indexes, (index) => played[index]!.row.labels[contest.strong]!),
  })
  const byScore = (one: ScoredRow): number => one.score.score
  const all = Int32Array.from(played.keys())
  const whole = pairOf(all, byScore)
  return {
    contest,
    prompts: played.length,
    gap: estimate(played.length, (indexes) => averageRecoveredGap(pairOf(indexes, byScore))),
    byLength: averageRecoveredGap(pairOf(all, ({ row }) => row.prompt.length)),
    calls50: callsForRecoveredGap(whole, 0.5),
    calls80: callsForRecoveredGap(whole, 0.8),
  }
}

export const contestHeading = [
  '| benchmark (weak → strong) | prompts | APGR (95 %) | by length | random | CPT50 | CPT80 |',
  '| --- | --- | --- | --- | --- | --- | --- |',
]

export function contestLine({ contest, prompts, gap, byLength, calls50, calls80 }: ContestFigures): string {
  const name = `${contest.source} (${contest.weak} → ${contest.strong})`
  const cells = [
    name,
    prompts,
    formatEstimate(gap),
    byLength.toFixed(3),
    '0.500',
    percent(calls50),
    percent(calls80),
  ]
  return `| ${cells.join(' | ')} |`
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
