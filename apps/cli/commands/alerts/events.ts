import { accountEventFields, type AccountEvent, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

const columns: Column<AccountEvent>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'created_at', title: 'WHEN', text: ({ created_at: at }, screen) => when(at, screen) },
  { field: 'type', title: 'TYPE', text: ({ type }) => type, paint: (words, _, { bold }) => bold(words) },
  { field: 'data', title: 'WHAT', text: dataText, narrow: 'drop' },
]

function dataText({ data }: AccountEvent): string {
  return Object.entries(data)
    .filter(([name]) => name !== 'account_id' && name !== 'object')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

export const listEvents = command({
  details: ['What happened in the last 90 days, newest first, whether anybody was told or not.'],
  arguments: {},
  options: { type: text('type', 'Only these: `budget.threshold`, `balance.low`, …'), ...pageOptions },
  fields: accountEventFields,
  examples: [
    { does: 'What happened', line: 'turnpike alerts events' },
    { does: 'Of budgets', line: 'turnpike alerts events --type budget.threshold' },
  ],
  async run(context, { type, ...page }) {
    const query = { type, ...pageQuery(page) }
    return rows(
      await askAsUser<List<AccountEvent>>(context, { path: '/api/v1/events', query }),
      columns,
      'Nothing happened.',
    )
  },
})
