import { createdEventTargetFields, type CreatedEventTarget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { command } from '../../program/command.ts'
import { requireSecretReader, showSecret } from './secret.ts'
import { targetPath } from './target-columns.ts'

export default command({
  details: [
    'For a day events are signed with both secrets. The new one is shown this once only, on a ' +
      'terminal or with --json.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the webhook' } },
  fields: createdEventTargetFields,
  examples: [
    { does: 'A new secret', line: 'turnpike webhooks rotate-secret tgt_01k9...' },
    {
      does: 'Only the secret, for a program',
      line: 'turnpike webhooks rotate-secret tgt_01k9... --json --fields secret',
    },
  ],
  async run(context, { id }) {
    requireSecretReader(context)
    const path = targetPath(id, '/rotate-secret')
    const target = await askAsUser<CreatedEventTarget>(context, { method: 'POST', path })
    return showSecret(context, target)
  },
})
