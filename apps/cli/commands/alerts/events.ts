import { eventFields, type Event, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

const columns: Column<Event>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'type', title: 'EVENT', text: ({ type }) => type, paint: (shown, _, { bold }) => bold(shown) },
  { field: 'created_at', title: 'AT', text: ({ created_at: created }, screen) => when(created, screen) },
  { field: 'data', title: 'TELLS', text: ({ data }) => dataText(data), narrow: 'drop' },
]

/** Without the fields that are the same in all of an account's events. */
function dataText({ account_id: _account, object: _object, ...rest }: Record<string, unknown>): string {
  return Object.entries(rest)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

export default command({
  details: ['The last 90 days, newest first, delivered or not.'],
  options: { type: text('type', 'Only this type, such as budget.threshold'), ...pageOptions },
  fields: eventFields,
  examples: [
    { does: 'List them', line: 'turnpike alerts events' },
    { does: 'Budget alerts', line: 'turnpike alerts events --type budget.threshold' },
  ],
  async run(context, { type, ...page }) {
    const query = { type, ...pageQuery(page) }
    const found = await askAsUser<List<Event>>(context, { path: '/api/v1/events', query })
    return rows(found, columns, 'No events yet.')
  },
})
