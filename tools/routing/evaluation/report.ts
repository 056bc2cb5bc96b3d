import { formatEstimate, percent } from './bootstrap.ts'
import { calibrationErrors } from './calibration.ts'
import { ladderHeading, ladderLines } from './ladder.ts'
import { contestHeading, contestLine, contests, figuresOf, mean, type ContestFigures } from './pairs.ts'
import type { ScoredRow } from './scored-rows.ts'
import { agreementLines, tierShare, translationsAgree } from './tier-agreement.ts'

/**
 * The tables of docs/routing.md, as Markdown.
 * @param transfer empty if no benchmark was left out
 * @param latency lines of the last table (`latencyLines`)
 */
export function reportOf(
  scored: readonly ScoredRow[],
  how: string,
  transfer: readonly ContestFigures[],
  latency: readonly string[],
): string {
  return [
    `### In domain: ${how}`,
    '',
    ...contestHeading,
    ...contests
      .map((contest) => figuresOf(contest, scored))
      .filter((one) => one !== undefined)
      .map(contestLine),
    '',
    'Always asking the strong model recovers all of the gap for all of the calls; it has no APGR.',
    '',
    ...transferLines(transfer),
    '### Ladder of four models',
    '',
    ...ladderHeading,
    ...ladderLines(scored),
    '',
    '### Tiers',
    '',
    ...agreementLines(scored),
    '',
    ...otherLines(scored),
    ...latency,
  ].join('\n')
}

function transferLines(transfer: readonly ContestFigures[]): string[] {
  if (transfer.length === 0) return []
  const ours = mean(transfer.map(({ gap }) => gap.value))
  const byLength = mean(transfer.map((one) => one.byLength))
  return [
    '### Transfer: each benchmark by weights that saw none of its questions',
    '',
    ...contestHeading,
    ...transfer.map(contestLine),
    `| **mean** | | **${ours.toFixed(3)}** | ${byLength.toFixed(3)} | 0.500 | | |`,
    '',
  ]
}

function otherLines(scored: readonly ScoredRow[]): string[] {
  const lines = ['### The rest', '', '| what | figure |', '| --- | --- |']
  const simple = tierShare(scored, 'arena-hard-prompts', 'SIMPLE')
  if (!Number.isNaN(simple)) lines.push(`| arena-hard prompts called SIMPLE | ${percent(simple)} |`)
  const { withinOne, same, count } = translationsAgree(scored)
  if (count > 0)
    lines.push(
      `| MGSM translations within one tier of the English original (${count}) | ${percent(withinOne)} |`,
      `| … in the same tier | ${percent(same)} |`,
    )
  for (const { tier, prompts, error } of calibrationErrors(scored))
    if (prompts > 0) lines.push(`| calibration error of ${tier} (${prompts} prompts) | ${error.toFixed(3)} |`)
  return lines
}

export function progressOf(figures: ContestFigures): string {
  return `${figures.contest.source} ${formatEstimate(figures.gap)}, by length ${figures.byLength.toFixed(3)}`
}
