import { keyFates, removedMemberFields, type RemovedMember } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { choice, command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  details: [
    '`--keys revoked` refuses their keys at once. `--keys organization` lets the keys keep ' +
      'working; whoever knows a secret can use it until it is rotated.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the member' } },
  options: { keys: choice('fate', 'What to do with their keys (required)', keyFates) },
  fields: removedMemberFields,
  examples: [
    {
      does: 'Remove a member and revoke their keys',
      line: 'turnpike org remove mem_01k9... --keys revoked --org Engines',
    },
  ],
  async run(context, { id, keys }) {
    if (keys === undefined) throw badInput('--keys: expected `organization` or `revoked`.', '--keys')
    const path = `/api/v1/organization/members/${encodeURIComponent(id)}`
    const removed = await askAsUser<RemovedMember>(context, { method: 'DELETE', path, query: { keys } })
    const what = keys === 'revoked' ? 'revoked' : 'now owned by the organization'
    context.output.done(`Removed ${oneLine(removed.name ?? id)}; ${removed.key_count} keys are ${what}`)
    return record(removed, () => '')
  },
})
