import { keyFates, removedMemberFields, type RemovedMember } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command } from '../../program/command.ts'

export default command({
  details: ['Name the organization with `--org`. Its only owner cannot leave.'],
  options: { keys: choice('fate', 'What to do with your keys there (default organization)', keyFates) },
  fields: removedMemberFields,
  examples: [{ does: 'Leave it', line: 'turnpike org leave --org Engines' }],
  async run(context, { keys }) {
    const body = { ...(keys !== undefined && { keys }) }
    const path = '/api/v1/organization/leave'
    const left = await askAsUser<RemovedMember>(context, { method: 'POST', path, body })
    context.output.done(`You left the organization. Your ${left.key_count} keys: ${left.keys}`)
    return record(left, () => '')
  },
})
