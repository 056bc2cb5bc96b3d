import { projectFields, type Project } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  details: ['Prints its id; put keys into it with `turnpike keys create --project`.'],
  arguments: { name: { kind: 'one', description: 'Its name' } },
  fields: projectFields,
  examples: [{ does: 'Create a project', line: 'turnpike projects create search --org Engines' }],
  async run(context, { name }) {
    const path = '/api/v1/projects'
    const made = await askAsUser<Project>(context, { method: 'POST', path, body: { name } })
    context.output.done(`Created project ${context.output.messages.style.bold(oneLine(made.name))}`)
    return record(made, () => `${made.id}\n`)
  },
})
