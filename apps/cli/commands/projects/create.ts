import { projectFields, type Project } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export const createProject = command({
  details: ['stdout is its id: `turnpike keys create --project` puts a key into it.'],
  arguments: { name: { kind: 'one', description: 'What it is called' } },
  options: {},
  fields: projectFields,
  examples: [{ does: 'Make a project', line: 'turnpike projects create search --org Engines' }],
  async run(context, { name }) {
    const path = '/api/v1/projects'
    const made = await askAsUser<Project>(context, { method: 'POST', path, body: { name } })
    context.output.done(`Created project ${context.output.messages.style.bold(oneLine(made.name))}`)
    return record(made, () => `${made.id}\n`)
  },
})
