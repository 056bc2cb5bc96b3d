import { eventTargetFields, type EventTarget, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { targetColumns, targetsPath } from './target-columns.ts'

export const listWebhooks = command({
  arguments: {},
  options: {},
  fields: eventTargetFields,
  examples: [{ does: 'Where events are told', line: 'turnpike webhooks list' }],
  async run(context) {
    const found = await askAsUser<List<EventTarget>>(context, { path: targetsPath })
    return rows(
      found,
      targetColumns,
      'Nobody is told anything. Make one: turnpike webhooks create --url https://…',
    )
  },
})
