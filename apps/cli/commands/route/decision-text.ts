import { bar } from '../../terminal/bar.ts'
import { dollars, type RouteCandidate, type RouteDecision } from '@turnpike/api'
import type { Screen } from '../../terminal/screen.ts'
import { oneLine, pad, textWidth, wrap } from '../../terminal/text-width.ts'

const barWidth = 20
const indent = 2

/** A routing decision and its reasons. */
export function decisionText(decision: RouteDecision, screen: Screen): string {
  const { bold, cyan, dim } = screen.style
  const runnerUp = decision.runner_up ? dim(`, before ${oneLine(decision.runner_up)}`) : ''
  const parts = [
    `${bold(oneLine(decision.model))}  ${cyan(oneLine(decision.tier))}${runnerUp}`,
    section('Chance of success by tier', probabilityLines(decision, screen), screen),
    section(
      'Why (+ for a stronger model, − for a simpler one)',
      [...reasonLines(decision, screen), ...becauseLines(decision, screen)],
      screen,
    ),
    correctionSection(decision, screen),
    section('In the order in which they would be tried', candidateLines(decision, screen), screen),
    section('Cannot handle it', filterLines(decision), screen),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function section(title: string, lines: string[], { style }: Screen): string {
  return lines.length === 0
    ? ''
    : `${style.dim(title)}\n${lines.map((line) => pad('', indent) + line).join('\n')}`
}

function probabilityLines({ probabilities }: RouteDecision, { style }: Screen): string[] {
  return inColumns(
    Object.entries(probabilities ?? {}).map(([tier, probability]) => [
      oneLine(tier),
      `${percent(probability)}  ${style.cyan(bar(probability, barWidth))}`,
    ]),
  )
}

function percent(share: number): string {
  return pad(`${Math.round(share * 100)} %`, 5, 'right')
}

/** The effect of calibration, used or only in shadow mode; empty if calibration is off. */
function correctionSection(decision: RouteDecision, screen: Screen): string {
  const { calibration, calibrated_tier: tier, correction } = decision
  if (!tier || !correction) return ''
  const title = calibration === 'on' ? 'Adjusted by your outcomes' : 'By your outcomes, not applied (shadow)'
  const changes = Object.entries(correction).filter(([, change]) => change !== 0)
  const alone = decision.scored_tier === tier ? 'it too' : oneLine(decision.scored_tier ?? 'another')
  return section(
    title,
    [
      `ask for ${oneLine(tier)}; the prompt alone asks for ${alone}`,
      ...inColumns(changes.map(([name, change]) => [oneLine(name), `${withSign(change)} log-odds`])),
    ],
    screen,
  )
}

function withSign(change: number): string {
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}`
}

/** A plus marks a reason for a stronger model. */
function reasonLines({ reasons = [] }: RouteDecision, { style }: Screen): string[] {
  return reasons.map(({ reason, weight }) => {
    const sign = weight < 0 ? style.green('−') : style.yellow('+')
    return `${sign} ${oneLine(reason)}`
  })
}

function becauseLines({ because = [] }: RouteDecision, { width }: Screen): string[] {
  return because.flatMap((text) =>
    wrap(oneLine(text), width - indent - 2).map((line, index) => `${index === 0 ? '·' : ' '} ${line}`),
  )
}

function candidateLines({ candidates = [] }: RouteDecision, screen: Screen): string[] {
  return inColumns(
    candidates.map((candidate) => [oneLine(candidate.model), candidateFacts(candidate, screen)]),
  )
}

function candidateFacts(
  { tier, expected_cost_usd: cost, healthy }: RouteCandidate,
  { style }: Screen,
): string {
  const state = healthy ? '' : style.red('  rests')
  return `${pad(dollars(cost), 14)}  ${style.dim(oneLine(tier))}${state}`
}

function filterLines({ filters = [] }: RouteDecision): string[] {
  return inColumns(filters.map(({ model, reason }) => [oneLine(model), oneLine(reason)]))
}

function inColumns(rows: [string, string][]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => textWidth(name)))
  return rows.map(([name, value]) => `${pad(name, width)}  ${value}`.trimEnd())
}
