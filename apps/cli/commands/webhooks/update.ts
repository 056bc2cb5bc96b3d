import { eventTargetFields, type EventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { choice, command, list, text } from '../../program/command.ts'
import { table } from '../../terminal/table.ts'
import { targetColumns, targetPath } from './target-columns.ts'

export const updateWebhook = command({
  arguments: { id: { kind: 'one', description: 'The id of the webhook' } },
  options: {
    url: text('address', 'Where events are posted'),
    type: list('type', 'Only these events; may be repeated; `*`: all'),
    name: text('label', 'What you call it'),
    status: choice('status', 'Whether it is told anything', ['active', 'disabled']),
  },
  fields: eventTargetFields,
  examples: [
    { does: 'Turn it on again', line: 'turnpike webhooks update tgt_01k9... --status active' },
    { does: 'Top-ups alone', line: 'turnpike webhooks update tgt_01k9... --type topup.paid' },
  ],
  async run(context, { id, url, type, name, status }) {
    const body = {
      ...(url !== undefined && { url }),
      ...(type.length > 0 && { types: type }),
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change: name an option, such as --status.')
    const target = await askAsUser<EventTarget>(context, { method: 'PATCH', path: targetPath(id), body })
    return record(target, (screen) => table([target], targetColumns, screen))
  },
})
