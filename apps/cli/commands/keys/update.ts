import { keyFields, type Key } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { keyFacts } from './key-columns.ts'
import { limitOptions, limitsBody } from './key-limits.ts'
import { keyPath } from './key-path.ts'

export default command({
  details: ['`--expires never`, `--model all` and `--spend-limit none` remove a limit.'],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  options: { name: text('label', 'A label'), ...limitOptions },
  fields: keyFields,
  examples: [
    { does: 'Rename a key', line: 'turnpike keys update key_01k9... --name "CI of the website"' },
    {
      does: 'Let it spend 20 USD a month',
      line: 'turnpike keys update key_01k9... --spend-limit 20 --spend-limit-period month',
    },
    {
      does: 'Drop unsupported fields instead of refusing the request',
      line: 'turnpike keys update key_01k9... --unsupported-fields drop',
    },
    { does: 'Let it expire in a week', line: 'turnpike keys update key_01k9... --expires 7d' },
  ],
  async run(context, { id, name, ...limits }) {
    const body = { ...(name !== undefined && { name }), ...limitsBody(limits, context.clock()) }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change. Pass an option, such as --name.')
    const key = await askAsUser<Key>(context, { method: 'PATCH', path: keyPath(id), body })
    return record(key, (screen) => keyFacts(key, screen))
  },
})
