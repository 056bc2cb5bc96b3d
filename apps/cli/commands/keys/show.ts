import { keyFields, type Key } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { keyFacts } from './key-columns.ts'
import { keyPath } from './key-path.ts'

export default command({
  arguments: { id: { kind: 'one', description: 'The id of the key, as `turnpike keys list` shows it' } },
  fields: keyFields,
  examples: [{ does: 'Show a key', line: 'turnpike keys show key_01k9...' }],
  async run(context, { id }) {
    const key = await askAsUser<Key>(context, { path: keyPath(id) })
    return record(key, (screen) => keyFacts(key, screen))
  },
})
