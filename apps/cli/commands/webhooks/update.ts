import { eventTargetFields, type EventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, list, text } from '../../program/command.ts'
import { targetFacts, targetPath } from './target-columns.ts'

export default command({
  details: ["`--type '*'` sends everything. Deliveries that failed while it was disabled are not resent."],
  arguments: { id: { kind: 'one', description: 'The id of the target' } },
  options: {
    name: text('label', 'A label'),
    url: text('url', 'URL of the webhook'),
    type: list('type', 'Event type to send, replacing the previous ones; repeat'),
    enable: flag('Send to it again'),
    disable: flag('Send nothing to it'),
  },
  fields: eventTargetFields,
  examples: [
    {
      does: 'Only send budget events',
      line: 'turnpike webhooks update tgt_01k9... --type budget.threshold',
    },
    { does: 'Send to it again', line: 'turnpike webhooks update tgt_01k9... --enable' },
  ],
  async run(context, { id, name, url, type, enable, disable }) {
    if (enable && disable) throw badInput('--enable and --disable: expected only one of them.', '--disable')
    const body = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(type.length > 0 && { types: type }),
      ...((enable || disable) && { status: enable ? 'active' : 'disabled' }),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change. Pass an option, such as --name.')
    const target = await askAsUser<EventTarget>(context, { method: 'PATCH', path: targetPath(id), body })
    return record(target, (screen) => targetFacts(target, screen))
  },
})
