import { eventTargetWithSecretFields, toldRoles, type EventTargetWithSecret } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, list, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { placeOf, targetsPath } from './target-columns.ts'

export const createWebhook = command({
  details: [
    'With --url events are posted, signed as Standard Webhooks has it; stdout is the secret, which is ' +
      'shown only this once. With --email they are mailed; an address other than yours is asked ' +
      'first. With --role they are mailed to an organization’s members.',
  ],
  arguments: {},
  options: {
    url: text('address', 'Where they are posted'),
    email: text('address', 'Whom they are mailed to'),
    role: list('role', 'Mail the members with this role; may be repeated', toldRoles),
    type: list('type', 'Only these events, as in budget.threshold; may be repeated (default: all)'),
    name: text('label', 'What you call it'),
  },
  fields: eventTargetWithSecretFields,
  examples: [
    { does: 'Post all events', line: 'turnpike webhooks create --url https://hooks.example.com/turnpike' },
    {
      does: 'Mail those of budgets',
      line: 'turnpike webhooks create --email ops@example.com --type budget.threshold',
    },
  ],
  async run(context, { url, email, role, type, name }) {
    const given = [url, email, role[0]].filter((one) => one !== undefined)
    if (given.length !== 1) throw badInput('Expected one of --url, --email and --role.')
    const body = {
      kind: url === undefined ? 'mail' : 'webhook',
      ...(url !== undefined && { url }),
      ...(email !== undefined && { email }),
      ...(role.length > 0 && { roles: role }),
      ...(type.length > 0 && { types: type }),
      ...(name !== undefined && { name }),
    }
    const path = targetsPath
    const target = await askAsUser<EventTargetWithSecret>(context, { method: 'POST', path, body })
    const { output } = context
    output.done(`Events are told to ${oneLine(placeOf(target))} (${target.id})`)
    if (target.status === 'unconfirmed') output.say('It was mailed a link, and has to say yes first.')
    if (target.secret !== null) output.warn('Save the secret now: it is shown only this once.')
    return record(target, () => (target.secret === null ? '' : `${target.secret}\n`))
  },
})
