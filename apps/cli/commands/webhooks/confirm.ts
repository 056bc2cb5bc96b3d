import { eventTargetFields, type EventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { targetPath } from './target-columns.ts'

export default command({
  details: ['At most one every eight hours per address.'],
  arguments: { id: { kind: 'one', description: 'The id of the target' } },
  fields: eventTargetFields,
  examples: [{ does: 'Send it again', line: 'turnpike webhooks confirm tgt_01k9...' }],
  async run(context, { id }) {
    const path = targetPath(id, '/confirmation')
    const target = await askAsUser<EventTarget>(context, { method: 'POST', path })
    context.output.done(`A confirmation was emailed to ${oneLine(target.email ?? '')}`)
    return record(target, () => '')
  },
})
