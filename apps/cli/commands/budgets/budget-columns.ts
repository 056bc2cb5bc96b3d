import { dollars, type Budget } from '@turnpike/api'
import { badInput } from '../../failure.ts'
import { bar } from '../../terminal/bar.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts, type Column } from '../../terminal/table.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { when } from '../../terminal/time.ts'

export const budgetsPath = '/api/v1/budgets'
const mostPercent = 1_000
const barWidth = 24

export function budgetPath(id: string, tail = ''): string {
  return `${budgetsPath}/${encodeURIComponent(id)}${tail}`
}

/** `$500.00 a month`, `$500.00 in total` */
export function limitText({ limit_usd: limit, period }: Budget): string {
  return `${dollars(limit)} ${period === 'total' ? 'in total' : `a ${period}`}`
}

/** `tag team:search`, `whole account` */
function subjectText({ scope, subject }: Budget): string {
  return subject === null ? 'whole account' : `${scope} ${subject}`
}

function shareOf({ spent_usd: spent, limit_usd: limit }: Budget): number {
  if (Number(limit) > 0) return Number(spent) / Number(limit)
  return Number(spent) > 0 ? 1 : 0
}

function percentText(budget: Budget): string {
  return `${Math.floor(shareOf(budget) * 100)} %`
}

export const budgetColumns: Column<Budget>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'subject', title: 'ON', text: subjectText },
  { field: 'limit_usd', title: 'LIMIT', align: 'right', text: limitText },
  {
    field: 'spent_usd',
    title: 'SPENT',
    align: 'right',
    text: (budget) => `${dollars(budget.spent_usd)} (${percentText(budget)})`,
    paint: (text, budget, style) => (shareOf(budget) >= 1 ? style.red(text) : text),
  },
  { field: 'hard', title: 'KIND', text: ({ hard }) => (hard ? 'hard' : 'soft'), narrow: 'drop' },
  {
    field: 'resets_at',
    title: 'RESETS',
    text: ({ resets_at: resetsAt }, screen) => when(resetsAt, screen, 'never'),
    narrow: 'drop',
  },
]

export function budgetFacts(budget: Budget, screen: Screen): string {
  const { style } = screen
  const share = shareOf(budget)
  const drawn = bar(share, barWidth)
  const spent = `${dollars(budget.spent_usd)}, ${percentText(budget)}`
  const rows: [string, string][] = [
    ['id', budget.id],
    ['on', oneLine(subjectText(budget))],
    ['limit', limitText(budget)],
    ['beyond it', budget.hard ? 'requests are refused' : 'it only tells'],
    ['spent', `${spent} ${share >= 1 ? style.red(drawn) : drawn}`.trimEnd()],
    ['reserved', dollars(budget.reserved_usd)],
    ['left', dollars(budget.left_usd)],
    ['resets', when(budget.resets_at, screen, 'never')],
    ['tells at', budget.notify.map((percent) => `${percent} %`).join(', ') || 'nothing'],
  ]
  return `${style.bold(oneLine(budget.name))}\n${facts(rows, screen)}`
}

/** `50,80,100`, or `none`; undefined where the option is not given. */
export function percentsOf(value: string | undefined): number[] | undefined {
  if (value === undefined) return undefined
  if (value === 'none') return []
  const percents = value.split(',').map((one) => (/^\s*\d{1,4}\s*$/.test(one) ? Number(one) : 0))
  if (percents.every((percent) => percent >= 1 && percent <= mostPercent)) return percents
  throw badInput(`--notify: expected percentages such as 50,80,100, or none; got "${value}".`, '--notify')
}

/** Whether a budget refuses; undefined where nothing says it. @throws {Failure} where both are given */
export function hardOf({ hard, soft }: { hard: boolean; soft: boolean }): boolean | undefined {
  if (hard && soft) throw badInput('Expected --hard or --soft, not both.', '--soft')
  return hard || soft ? hard : undefined
}
