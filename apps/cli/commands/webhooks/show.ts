import { eventTargetFields, type EventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { targetFacts, targetPath } from './target-columns.ts'

export default command({
  arguments: { id: { kind: 'one', description: 'The id of the target' } },
  fields: eventTargetFields,
  examples: [{ does: 'Show it', line: 'turnpike webhooks show tgt_01k9...' }],
  async run(context, { id }) {
    const target = await askAsUser<EventTarget>(context, { path: targetPath(id) })
    return record(target, (screen) => targetFacts(target, screen))
  },
})
