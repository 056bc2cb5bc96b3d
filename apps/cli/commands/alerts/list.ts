import { alertFields, type AlertRule, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { alertColumns } from './alert-columns.ts'

export default command({
  details: ['Recipients: `turnpike webhooks list`.'],
  fields: alertFields,
  examples: [{ does: 'Which are on', line: 'turnpike alerts list' }],
  async run(context) {
    const found = await askAsUser<List<AlertRule>>(context, { path: '/api/v1/alerts' })
    return rows(found, alertColumns, 'This gateway has no alerts.')
  },
})
