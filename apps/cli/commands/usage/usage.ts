import {
  groupFields,
  longestRangeDays,
  usageDimensions,
  usageFields,
  type UsageBreakdown,
  type UsageSummary,
} from '../../api/usage.ts'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record, rows } from '../../output/result.ts'
import { command, list, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { groupColumns } from './group-columns.ts'
import { summaryText } from './summary-text.ts'

const maxDimensions = 2
const defaultDays = 30

export const usage = command({
  details: [
    'Without --by: the sum, and on a terminal a chart by day. Days are those of UTC, today included; ' +
      'requests that ' +
      'failed cost nothing and do not count. A request counts toward each of its tags, so that rows ' +
      'by tag may add up ' +
      'to more than was spent.',
  ],
  arguments: {},
  options: {
    days: text('n', `How many days, 1 to ${longestRangeDays} (default ${defaultDays})`),
    by: list('what', 'Rows by this; twice for a cross table', usageDimensions),
    tag: list('tag', 'Requests with this tag; repeat where all must match'),
    key: text('id', "One key's requests"),
    model: text('id', "One model's requests"),
  },
  fields: [...new Set([...usageFields, ...groupFields])],
  examples: [
    { does: 'The last 30 days', line: 'turnpike usage' },
    { does: 'This week by model', line: 'turnpike usage --days 7 --by model' },
    { does: "A team's spending by day", line: 'turnpike usage --tag team:search --by day' },
    { does: 'Tags against models', line: 'turnpike usage --by tag --by model' },
  ],
  async run(context, { days, by, tag, key, model }) {
    const range = wholeNumber(days, '--days', { min: 1, max: longestRangeDays }) ?? defaultDays
    const query = { days: String(range), tag, key_id: key, model }
    if (by.length > maxDimensions || new Set(by).size < by.length) {
      throw badInput('--by: expected one grouping, or two different ones.', '--by')
    }
    const breakdown = (by: string[]): Promise<UsageBreakdown> =>
      askAsUser(context, { path: '/api/v1/usage/breakdown', query: { ...query, by } })
    if (by.length > 0) {
      const groups = await breakdown(by)
      const more = 'The rows with the smallest costs are left out.'
      return rows(groups, groupColumns(groups, context.output.screen), 'No requests in this time.', more)
    }
    const isCharted = context.output.screen.isTerminal && !context.output.isJson
    const [summary, byDay] = await Promise.all([
      askAsUser<UsageSummary>(context, { path: '/api/v1/usage', query }),
      isCharted && range > 1 ? breakdown(['day']) : undefined,
    ])
    return record(summary, (screen) => summaryText(summary, byDay?.data ?? [], screen))
  },
})
