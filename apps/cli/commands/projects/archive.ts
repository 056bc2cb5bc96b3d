import { projectFields, type Project } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  details: ['It takes no new keys; its keys keep working.'],
  arguments: { id: { kind: 'one', description: 'The id of the project' } },
  fields: projectFields,
  examples: [{ does: 'Archive a project', line: 'turnpike projects archive prj_01k9... --org Engines' }],
  async run(context, { id }) {
    const path = `/api/v1/projects/${encodeURIComponent(id)}`
    const archived = await askAsUser<Project>(context, { method: 'DELETE', path })
    context.output.done(`Archived ${oneLine(archived.name)}`)
    return record(archived, () => '')
  },
})
