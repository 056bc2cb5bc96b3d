import type { RouteDecision } from '../../api/routing.ts'
import { bar } from '../../terminal/bar.ts'
import { dollars } from '../../terminal/decimal.ts'
import type { Screen } from '../../terminal/screen.ts'
import { oneLine, padded, textWidth } from '../../terminal/text-width.ts'

const barWidth = 20

/** A routing decision, and what spoke for it. */
export function decisionText(decision: RouteDecision, screen: Screen): string {
  const { bold, cyan, dim } = screen.style
  const runnerUp = decision.runner_up ? dim(`, before ${oneLine(decision.runner_up)}`) : ''
  const parts = [
    `${bold(oneLine(decision.model))}  ${cyan(oneLine(decision.tier))}${runnerUp}`,
    section('Enough with', probabilityLines(decision, screen), screen),
    section('Why', reasonLines(decision, screen), screen),
    section('Left out', (decision.filters ?? []).map(oneLine), screen),
    section('Candidates', candidateLines(decision), screen),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function section(title: string, lines: string[], { style }: Screen): string {
  return lines.length === 0 ? '' : `${style.dim(title)}\n${lines.map((line) => `  ${line}`).join('\n')}`
}

function probabilityLines({ probabilities = {} }: RouteDecision, { style }: Screen): string[] {
  return inColumns(
    Object.entries(probabilities).map(([tier, probability]) => [
      oneLine(tier),
      `${percent(probability)}  ${style.cyan(bar(probability, barWidth))}`,
    ]),
  )
}

function percent(share: number): string {
  return padded(`${Math.round(share * 100)} %`, 5, 'right')
}

function reasonLines({ reasons = [] }: RouteDecision, { style }: Screen): string[] {
  return reasons.map(({ reason, weight }) => {
    const sign = weight === undefined ? '·' : weight < 0 ? style.green('−') : style.yellow('+')
    return `${sign} ${oneLine(reason)}`
  })
}

function candidateLines({ candidates = [] }: RouteDecision): string[] {
  return inColumns(
    candidates.map(({ model, expected_cost_usd: cost }) => [
      oneLine(model),
      cost === undefined ? '' : dollars(cost),
    ]),
  )
}

function inColumns(rows: [string, string][]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => textWidth(name)))
  return rows.map(([name, value]) => `${padded(name, width)}  ${value}`.trimEnd())
}
