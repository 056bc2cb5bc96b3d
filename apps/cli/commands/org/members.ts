import { memberFields, type List, type Member } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import type { Column } from '../../terminal/table.ts'

const columns: Column<Member>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name ?? '', paint: (text, _, { bold }) => bold(text) },
  { field: 'email', title: 'EMAIL', text: ({ email }) => email ?? '', narrow: 'drop' },
  { field: 'kind', title: 'KIND', text: ({ kind }) => kind, narrow: 'drop' },
  { field: 'role', title: 'ROLE', text: ({ role }) => role },
  { field: 'status', title: 'STATUS', text: ({ status }) => status },
]

export default command({
  details: ['Name the organization with `--org`.'],
  options: pageOptions,
  fields: memberFields,
  examples: [{ does: 'List them', line: 'turnpike org members --org "Analytical Engines"' }],
  async run(context, input) {
    const path = '/api/v1/organization/members'
    const found = await askAsUser<List<Member>>(context, { path, query: pageQuery(input) })
    return rows(found, columns, 'No members.')
  },
})
