import {
  endpoints,
  groupFields,
  healthFields,
  longestRangeDays,
  mostGroups,
  operations,
  tagDimension,
  usageDimensions,
  usageFields,
  usualGroups,
  type UsageBreakdown,
  type UsageSummary,
} from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record, rows } from '../../output/result.ts'
import { choice, command, flag, list, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { pageOptionsOf, pageQuery } from '../../program/page-options.ts'
import { groupColumns, othersRow } from './group-columns.ts'
import { usageHealth } from './health.ts'
import { summaryText } from './summary-text.ts'

const maxDimensions = 2
const defaultDays = 30

export default command({
  details: [
    'Without --by: the total, and on a terminal a chart by day. Days are UTC, including today. ' +
      'Failed requests cost nothing and are not counted. A request counts for each of its tags, so ' +
      'rows by tag can add up to more than the total; rows by tag:team (the values of tags such as ' +
      'team:search) do not. The most expensive rows come first, days in order; the rest is one row, ' +
      '(others).',
    'With --health: error rate and causes, p50 and p95 of the first token and the whole answer, ' +
      'tokens per second, and cache savings, compared with as many days before.',
  ],
  options: {
    days: text('n', `How many days, 1 to ${longestRangeDays} (default ${defaultDays})`),
    health: flag('Errors, times, speed and caches instead of cost'),
    by: list('what', 'Group by this; give it twice for a cross table', [...usageDimensions, tagDimension]),
    tag: list('tag', 'Only requests with this tag; repeat to require several'),
    key: text('id', 'Only this key'),
    model: text('id', 'Only this model'),
    endpoint: choice('name', 'Only this API', endpoints),
    operation: choice('name', 'Only this operation', operations),
    ...pageOptionsOf({ most: mostGroups, usual: usualGroups }),
  },
  fields: [...new Set([...usageFields, ...groupFields, ...healthFields])],
  examples: [
    { does: 'The last 30 days', line: 'turnpike usage' },
    { does: 'This week by model', line: 'turnpike usage --days 7 --by model' },
    { does: "A team's spending by day", line: 'turnpike usage --tag team:search --by day' },
    { does: 'By API', line: 'turnpike usage --by endpoint' },
    { does: 'By team, where requests have tags such as team:search', line: 'turnpike usage --by tag:team' },
    { does: 'Tags against models', line: 'turnpike usage --by tag --by model' },
    { does: 'Failures and speed by model', line: 'turnpike usage --health --by model' },
    { does: 'The ten most expensive tags, and all others', line: 'turnpike usage --by tag --limit 10' },
  ],
  async run(context, { health, ...input }) {
    const { days, by, tag, key, model, endpoint, operation, limit, cursor } = input
    const range = wholeNumber(days, '--days', { min: 1, max: longestRangeDays }) ?? defaultDays
    if (health) return usageHealth(context, { ...input, days: range })
    const query = { days: String(range), tag, key_id: key, model, endpoint, operation }
    if (by.length > maxDimensions || new Set(by).size < by.length) {
      throw badInput('--by: expected one grouping, or two different ones.', '--by')
    }
    if (by.length === 0 && (limit ?? cursor) !== undefined) {
      const option = limit === undefined ? '--cursor' : '--limit'
      throw badInput(`${option}: requires --by.`, option)
    }
    const page = pageQuery({ limit, cursor }, mostGroups)
    const breakdown = (by: string[]): Promise<UsageBreakdown> =>
      askAsUser(context, { path: '/api/v1/usage/breakdown', query: { ...query, ...page, by } })
    if (by.length > 0) {
      const groups = await breakdown(by)
      const others = othersRow(groups)
      const columns = groupColumns(groups, context.output.screen, others)
      return rows(groups, columns, 'No requests in this period.', others)
    }
    const isCharted = context.output.screen.isTerminal && !context.output.isJson
    const [summary, byDay] = await Promise.all([
      askAsUser<UsageSummary>(context, { path: '/api/v1/usage', query }),
      isCharted && range > 1 ? breakdown(['day']) : undefined,
    ])
    return record(summary, (screen) => summaryText(summary, byDay?.data ?? [], screen))
  },
})
