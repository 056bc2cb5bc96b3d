import { decimalUnits, dollars, type Budget } from '@turnpike/api'
import { bar } from '../../terminal/bar.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { Style } from '../../terminal/style.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'
import { share } from '../usage/group-columns.ts'

const barWidth = 30
const nearly = 0.8

/** As `--on` takes it: `organization`, `tag:team:search`. */
function onText({ scope, subject }: Budget): string {
  return subject === null ? scope : `${scope}:${subject}`
}

/** `$500.00 a month`, `$500.00 in total` */
function limitText({ limit_usd: limit, period }: Budget): string {
  return `${dollars(limit)} ${period === 'total' ? 'in total' : `a ${period}`}`
}

function ruleText({ hard }: Budget): string {
  return hard ? 'hard' : 'soft'
}

/** The spent share of the limit, from 0; a limit of 0 is used up. */
function shareOfLimit({ spent_usd: spent, limit_usd: limit }: Budget): number {
  const units = decimalUnits(limit)
  return units === 0n ? 1 : share(decimalUnits(spent), units)
}

function warning(text: string, budget: Budget, style: Style): string {
  const part = shareOfLimit(budget)
  if (part >= 1) return style.red(text)
  return part >= nearly ? style.yellow(text) : text
}

export const budgetColumns: Column<Budget>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'subject', title: 'ON', text: onText },
  { field: 'limit_usd', title: 'LIMIT', text: limitText, narrow: 'keep' },
  {
    field: 'spent_usd',
    title: 'SPENT',
    align: 'right',
    text: ({ spent_usd: spent }) => dollars(spent),
    paint: warning,
    narrow: 'keep',
  },
  { field: 'hard', title: 'RULE', text: ruleText, narrow: 'drop' },
  {
    field: 'resets_at',
    title: 'RESETS',
    text: ({ resets_at: resetsAt }, screen) => when(resetsAt, screen, 'never'),
    narrow: 'drop',
  },
]

/** A budget and its current state. */
export function budgetFacts(budget: Budget, screen: Screen, more: readonly [string, string][] = []): string {
  const { style, isTerminal } = screen
  const part = shareOfLimit(budget)
  const drawn = isTerminal && part > 0 ? `${bar(part, barWidth)} ` : ''
  const percent = `${drawn}${Math.floor(part * 100)} %`
  const rows: [string, string][] = [
    ['id', budget.id],
    ['on', oneLine(onText(budget))],
    ['limit', limitText(budget)],
    ['over the limit', budget.hard ? 'requests are refused (hard)' : 'you are only notified (soft)'],
    ['spent', `${dollars(budget.spent_usd)}  ${warning(percent, budget, style)}`],
    ['left', dollars(budget.left_usd)],
  ]
  if (budget.reserved_usd !== '0')
    rows.push(['held', `${dollars(budget.reserved_usd)} for current and upcoming requests`])
  rows.push(...more)
  if (budget.notify.length > 0) rows.push(['notify at', budget.notify.map((one) => `${one} %`).join(', ')])
  rows.push(['resets', when(budget.resets_at, screen, 'never')])
  return `${style.bold(oneLine(budget.name))}\n${facts(rows, screen)}`
}
