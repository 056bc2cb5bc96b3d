import { organizationFields, type Organization } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  details: ['You become its owner. It has its own credit and keys. Prints its id.'],
  arguments: { name: { kind: 'one', description: 'Its name' } },
  fields: organizationFields,
  examples: [{ does: 'Create one', line: 'turnpike org create "Analytical Engines"' }],
  async run(context, { name }) {
    const path = '/api/v1/organizations'
    const made = await askAsPerson<Organization>(context, { method: 'POST', path, body: { name } })
    context.output.done(`Created ${context.output.messages.style.bold(oneLine(made.name))}`)
    return record(made, () => `${made.id}\n`)
  },
})
