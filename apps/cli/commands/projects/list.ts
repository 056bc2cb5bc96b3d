import { projectFields, type List, type Project } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

const columns: Column<Project>[] = [
  { field: 'id', title: 'ID', text: ({ id }) => id, narrow: 'keep' },
  { field: 'name', title: 'NAME', text: ({ name }) => name, paint: (text, _, { bold }) => bold(text) },
  { field: 'created_at', title: 'CREATED', text: ({ created_at: created }, screen) => when(created, screen) },
  {
    field: 'archived_at',
    title: 'ARCHIVED',
    text: ({ archived_at: archived }, screen) => (archived === null ? '' : when(archived, screen)),
  },
]

export default command({
  options: pageOptions,
  fields: projectFields,
  examples: [{ does: 'List projects', line: 'turnpike projects list --org Engines' }],
  async run(context, input) {
    const found = await askAsUser<List<Project>>(context, {
      path: '/api/v1/projects',
      query: pageQuery(input),
    })
    return rows(found, columns, 'No projects yet. Create one: turnpike projects create search')
  },
})
