import type { PromptScore } from '@turnpike/routing'
import { createScorer } from '@turnpike/routing/scoring/scorer'
import { decodeWeights } from '@turnpike/routing/scoring/weights'
import type { Dataset } from '../training/dataset.ts'
import { benchmarkOf, foldOf, syntheticSource, type Row } from '../training/rows.ts'
import { train } from '../training/train.ts'

/** A row of the data with its score by a scorer that has seen neither the row nor its question. */
export interface ScoredRow {
  row: Row
  score: PromptScore
}

type Report = (done: string) => void

/** Scores each row with weights of the other folds. A question is in one fold in all its languages. */
export function crossValidate(data: Dataset, folds: number, report: Report): ScoredRow[] {
  const scored: ScoredRow[] = []
  for (let fold = 0; fold < folds; fold++) {
    const isHeldOut = ({ key }: Row): boolean => foldOf(key, folds) === fold
    scored.push(
      ...scoreRows(
        train(data, (row) => !isHeldOut(row)),
        data.rows.filter(isHeldOut),
      ),
    )
    report(`fold ${fold + 1} of ${folds}`)
  }
  return scored
}

/** Scores each benchmark with weights trained on none of its questions, in any source. */
export function scoreLeftOut(data: Dataset, benchmark: string, report: Report): ScoredRow[] {
  const own = data.rows.filter((row) => benchmarkOf(row) === benchmark)
  const keys = new Set(own.map(({ key }) => key))
  const bytes = train(data, (row) => benchmarkOf(row) !== benchmark && !keys.has(row.key))
  report(`without ${benchmark}`)
  return scoreRows(bytes, own)
}

export function scoreRows(weights: Uint8Array, rows: readonly Row[]): ScoredRow[] {
  const score = createScorer(decodeWeights(weights))
  return rows
    .filter(({ source }) => source !== syntheticSource)
    .map((row) => ({ row, score: score(row.prompt) }))
}
