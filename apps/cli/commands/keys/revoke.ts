import { dollars, type Key, keyFields } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { cancellation } from '../../failure.ts'
import { readLastKey, removeLastKey } from '../../files/last-key.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { askToConfirm, isAsked } from '../../terminal/confirm.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { keyPath } from './key-path.ts'

export default command({
  details: [
    'Its requests are refused at once. Its remaining credit goes to your oldest active key, or ' +
      'waits for the next one. Asks for confirmation on a terminal.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  options: { yes: flag('Do not ask for confirmation') },
  fields: keyFields,
  examples: [
    { does: 'Revoke a key', line: 'turnpike keys revoke key_01k9...' },
    { does: 'From a script', line: 'turnpike keys revoke key_01k9... --yes' },
  ],
  async run(context, { id, yes }) {
    const { output } = context
    const path = keyPath(id)
    if (!yes && isAsked(context)) {
      const { name, balance_usd: balance, status } = await askAsUser<Key>(context, { path })
      const question = `Revoke ${oneLine(name)} (${dollars(balance)})? This cannot be undone.`
      if (status === 'active' && !(await askToConfirm(context, question))) throw cancellation()
    }
    const key = await askAsUser<Key>(context, { method: 'DELETE', path })
    output.done(`Revoked key ${output.messages.style.bold(oneLine(key.name))} (${key.id})`)
    await forgetIfCached(context, key)
    return record(key, () => '')
  },
})

/** Removes the key from the cache if it is the cached one, since it no longer works. */
async function forgetIfCached({ directory, output }: Context, key: Key): Promise<void> {
  const cached = await readLastKey(directory).catch(() => undefined)
  if (cached?.startsWith(key.key_prefix) !== true) return
  await removeLastKey(directory)
  output.say('It was the cached key, so it was removed from the cache too.')
}
