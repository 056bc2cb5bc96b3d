import { organizationFields, type Organization } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  arguments: { link: { kind: 'one', description: 'The link of the invitation' } },
  fields: organizationFields,
  examples: [{ does: 'Join', line: 'turnpike org join "https://llm.example.com/join#q1nV0m..."' }],
  async run(context, { link }) {
    // The code follows the `#`; a code alone works as well.
    const code = link.slice(link.indexOf('#') + 1)
    const path = '/api/v1/organization-invitations/accept'
    const joined = await askAsPerson<Organization>(context, { method: 'POST', path, body: { code } })
    const { bold } = context.output.messages.style
    context.output.done(`You joined ${bold(oneLine(joined.name))} as ${joined.role ?? 'a member'}`)
    return record(joined, () => `${joined.id}\n`)
  },
})
