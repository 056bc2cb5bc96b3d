import type { EventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { askFirst } from '../ask-first.ts'
import { placeOf, targetPath } from './target-columns.ts'

export const deleteWebhook = command({
  details: ['What is on its way to it is not sent any more. On a terminal you are asked first.'],
  arguments: { id: { kind: 'one', description: 'The id of the webhook' } },
  options: { yes: flag('Do not ask') },
  fields: ['id', 'deleted'],
  examples: [{ does: 'Delete a webhook', line: 'turnpike webhooks delete tgt_01k9... --yes' }],
  async run(context, { id, yes }) {
    const path = targetPath(id)
    const place = oneLine(placeOf(await askAsUser<EventTarget>(context, { path })))
    await askFirst(context, yes, `Tell ${place} nothing any more?`)
    const deleted = await askAsUser<{ id: string; deleted: true }>(context, { method: 'DELETE', path })
    context.output.done(`Nothing is told to ${place} any more`)
    return record(deleted, () => '')
  },
})
