import { keyFates, removedMemberFields, type RemovedMember } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { choice, command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export const removeMember = command({
  details: [
    '`--keys revoked` has their keys refused at once; `--keys organization` has them work on, also for ' +
      'whoever knows a secret, until it is rotated.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the member' } },
  options: { keys: choice('fate', 'What becomes of their keys; required', keyFates) },
  fields: removedMemberFields,
  examples: [
    {
      does: 'Remove somebody, and their keys',
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
