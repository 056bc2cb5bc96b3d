import { organizationFields, type List, type Organization } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Column } from '../../terminal/table.ts'

const columns: Column<Organization>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'role', title: 'ROLE', text: ({ role }) => role ?? '' },
  { field: 'status', title: 'STATUS', text: ({ status }) => status },
]

export default command({
  details: ['Other commands act for one with `--org <name>` or `TURNPIKE_ORG`.'],
  fields: organizationFields,
  examples: [
    { does: 'List them', line: 'turnpike org list' },
    { does: 'Usage of one', line: 'turnpike usage --org "Analytical Engines"' },
  ],
  async run(context) {
    const found = await askAsPerson<List<Organization>>(context, { path: '/api/v1/organizations' })
    return rows(
      found,
      columns,
      'You do not belong to an organization yet. Create one: turnpike org create "My team"',
    )
  },
})
