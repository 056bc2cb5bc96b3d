import { createdKeyFields, type CreatedKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { command, flag, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { showCreatedKey } from './created-key.ts'
import { keyPath } from './key-path.ts'

const longestGraceSeconds = 30 * 86_400

export default command({
  details: [
    'The new key takes over name, limits and credit. The old one is revoked, at once or after ' +
      '`--grace`.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the key to replace' } },
  options: {
    grace: text('seconds', 'Seconds until the old key stops working (default 0)'),
    noCache: flag('Do not cache the new key on this machine'),
  },
  fields: createdKeyFields,
  examples: [
    { does: 'Replace a key at once', line: 'turnpike keys rotate key_01k9...' },
    { does: 'Keep the old key working for an hour', line: 'turnpike keys rotate key_01k9... --grace 3600' },
  ],
  async run(context, { id, grace, noCache }) {
    const seconds = wholeNumber(grace, '--grace', { min: 0, max: longestGraceSeconds })
    const key = await askAsUser<CreatedKey>(context, {
      method: 'POST',
      path: keyPath(id, '/rotate'),
      body: seconds === undefined ? {} : { grace_seconds: seconds },
    })
    const until = seconds ? `keeps working for ${seconds} s` : 'is revoked'
    context.output.done(
      `Rotated key ${context.output.messages.style.bold(oneLine(key.name))}; ${id} ${until}`,
    )
    return showCreatedKey(context, key, !noCache)
  },
})
