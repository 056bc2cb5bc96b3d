import { eventTargetFields, type EventTarget, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { targetColumns } from './target-columns.ts'

export default command({
  fields: eventTargetFields,
  examples: [{ does: 'List them', line: 'turnpike webhooks list' }],
  async run(context) {
    const found = await askAsUser<List<EventTarget>>(context, { path: '/api/v1/event-targets' })
    return rows(
      found,
      targetColumns,
      'No recipients yet. Get alerts by email: turnpike webhooks create --mail',
    )
  },
})
