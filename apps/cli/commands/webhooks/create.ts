import { createdEventTargetFields, toldRoles, type CreatedEventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, list, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { requireSecretReader, showSecret } from './secret.ts'

export default command({
  details: [
    "The signing secret is shown this once only, on a terminal or with --json. Another person's " +
      'address gets a confirmation mail first. docs/webhooks.md lists the event types.',
  ],
  options: {
    url: text('url', 'URL of the webhook'),
    mail: flag('Mail to your own address'),
    email: text('address', 'Mail to this address'),
    role: list('role', 'Mail to members with this role; repeat for several', toldRoles),
    name: text('label', 'A label (default: the host or the address)'),
    type: list('type', 'Event type to send, such as budget.threshold; repeat (default: all)'),
  },
  fields: createdEventTargetFields,
  examples: [
    {
      does: 'Send budget and low credit events to a server',
      line:
        'turnpike webhooks create --url https://hooks.example.com/turnpike --type budget.threshold ' +
        '--type balance.low',
    },
    {
      does: 'Mail an organization’s owners',
      line: 'turnpike webhooks create --role owner --org Engines',
    },
    { does: 'Mail everything to yourself', line: 'turnpike webhooks create --mail' },
    {
      does: 'Only id and secret, for a program',
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
