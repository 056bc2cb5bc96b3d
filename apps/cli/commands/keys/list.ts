import { type Key, keyFields, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { keyColumns } from './key-columns.ts'

export default command({
  details: ['Shows only the first characters of each key.'],
  options: pageOptions,
  fields: keyFields,
  examples: [
    { does: 'List the keys', line: 'turnpike keys list' },
    { does: 'Names and balances', line: 'turnpike keys list --fields name,balance_usd' },
  ],
  async run(context, input) {
    const keys = await askAsUser<List<Key>>(context, { path: '/api/v1/me/keys', query: pageQuery(input) })
    return rows(keys, keyColumns, 'No keys yet. Create one: turnpike keys create --name laptop')
  },
})
