import { eventTargetWithSecretFields, type EventTargetWithSecret } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { targetPath } from './target-columns.ts'

export const rotateSecret = command({
  details: [
    'stdout is the new secret, which is shown only this once. For 24 hours the one before signs, too.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the webhook' } },
  options: {},
  fields: eventTargetWithSecretFields,
  examples: [{ does: 'A new secret', line: 'turnpike webhooks rotate-secret tgt_01k9...' }],
  async run(context, { id }) {
    const path = targetPath(id, '/rotate-secret')
    const target = await askAsUser<EventTargetWithSecret>(context, { method: 'POST', path })
    context.output.warn('Save the secret now: it is shown only this once.')
    return record(target, () => `${target.secret}\n`)
  },
})
