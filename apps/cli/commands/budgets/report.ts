import { budgetReportFields, dollars, type BudgetReport } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { bar } from '../../terminal/bar.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts, table, type Column } from '../../terminal/table.ts'
import { budgetFacts } from './budget-columns.ts'
import { budgetPath } from './budget-options.ts'

type Day = BudgetReport['days'][number]

const barWidth = 24

export default command({
  details: ['By default for the current period.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {
    from: text('date', 'First day (UTC), such as 2026-11-01'),
    to: text('date', 'Last day (UTC)'),
  },
  fields: budgetReportFields,
  examples: [
    { does: 'The current period', line: 'turnpike budgets report bud_01k9...' },
    { does: 'A month', line: 'turnpike budgets report bud_01k9... --from 2026-10-01 --to 2026-10-31' },
  ],
  async run(context, { id, from, to }) {
    const query = {
      from: from === undefined ? undefined : String(startOf(from, '--from')),
      to: to === undefined ? undefined : String(startOf(to, '--to') + daySeconds),
    }
    const report = await askAsUser<BudgetReport>(context, { path: budgetPath(id, '/report'), query })
    return record(report, (screen) => reportText(report, screen))
  },
})

const daySeconds = 86_400

/** Unix epoch seconds. @throws {Failure} */
function startOf(date: string, option: string): number {
  const startMs = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(startMs)) return startMs / 1000
  throw badInput(`${option}: expected a day such as 2026-11-01, got "${date}".`, option)
}

function reportText(report: BudgetReport, screen: Screen): string {
  const { budget, days, cost_usd: cost, ledger_usage_usd: ledger, forecast_usd: forecast } = report
  const sums: [string, string][] = [
    ['these days', dollars(cost)],
    ['ledger', dollars(ledger)],
    ...(forecast === null ? [] : [['forecast', dollars(forecast)] as [string, string]]),
  ]
  const most = Math.max(...days.map((day) => Number(day.cost_usd)))
  return [
    budgetFacts(budget, screen),
    days.length === 0 ? '' : `\n${table(days, dayColumns(most), screen)}`,
    `\n${facts(sums, screen)}`,
  ].join('')
}

function dayColumns(most: number): Column<Day>[] {
  return [
    { field: 'day', title: 'DAY', text: ({ day }) => day, narrow: 'keep' },
    { field: 'cost_usd', title: 'COST', align: 'right', text: ({ cost_usd: cost }) => dollars(cost) },
    { field: 'requests', title: 'REQUESTS', align: 'right', text: ({ requests }) => String(requests) },
    {
      field: 'share',
      title: '',
      text: ({ cost_usd: cost }, { isTerminal }) =>
        isTerminal && most > 0 ? bar(Number(cost) / most, barWidth) : '',
      narrow: 'drop',
    },
  ]
}
