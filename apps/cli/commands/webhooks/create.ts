import { createdEventTargetFields, toldRoles, type CreatedEventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, list, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { requireSecretReader, showSecret } from './secret.ts'

export const createEventTarget = command({
  details: [
    'A webhook at --url, or mail. What a webhook is signed with is shown only this once, on a terminal or ' +
      'with --json. An address that is not your own gets a mail first, and must say yes. docs/webhooks.md ' +
      'lists the types of events.',
  ],
  arguments: {},
  options: {
    url: text('url', 'The webhook that they are sent to'),
    mail: flag('Mail them to your own address'),
    email: text('address', 'Mail them to this one'),
    role: list('role', 'Mail them to whoever has this role in the organization; repeat', toldRoles),
    name: text('label', 'What you call it (default: the host or the address)'),
    type: list('type', 'What it is told, such as budget.threshold; repeat (default: everything)'),
  },
  fields: createdEventTargetFields,
  examples: [
    {
      does: 'Have a server told of budgets and low credit',
      line:
        'turnpike webhooks create --url https://hooks.example.com/turnpike --type budget.threshold ' +
        '--type balance.low',
    },
    {
      does: 'Mail an organization’s owners',
      line: 'turnpike webhooks create --role owner --org Engines',
    },
    { does: 'Be mailed everything', line: 'turnpike webhooks create --mail' },
    {
      does: 'Id and secret, for a program',
      line: 'turnpike webhooks create --url https://hooks.example.com/turnpike --json --fields id,secret',
    },
  ],
  async run(context, { url, mail, email, role, name, type }) {
    const ways = [url !== undefined, mail, email !== undefined, role.length > 0].filter(Boolean)
    if (ways.length !== 1) throw badInput('Expected one of --url, --mail, --email and --role.', '--url')
    if (url !== undefined) requireSecretReader(context)
    const target = await askAsUser<CreatedEventTarget>(context, {
      method: 'POST',
      path: '/api/v1/event-targets',
      body: {
        ...(url === undefined ? { kind: 'mail' } : { kind: 'webhook', url }),
        ...(email !== undefined && { email }),
        ...(role.length > 0 && { roles: role }),
        ...(name !== undefined && { name }),
        ...(type.length > 0 && { types: type }),
      },
    })
    const { output } = context
    output.done(`Created target ${output.messages.style.bold(oneLine(target.name))} (${target.id})`)
    if (target.status === 'unconfirmed')
      output.say(
        `A confirmation was emailed to ${oneLine(target.email ?? '')}. ` +
          'No events are sent until it is accepted.',
      )
    return target.secret === null ? record(target, () => `${target.id}\n`) : showSecret(context, target)
  },
})
