import { alertRuleFields, dollars, type AlertRule, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Column } from '../../terminal/table.ts'

export const alertsPath = '/api/v1/alerts'

const columns: Column<AlertRule>[] = [
  { field: 'kind', title: 'ALERT', text: ({ kind }) => kind, narrow: 'keep' },
  {
    field: 'enabled',
    title: 'STATE',
    text: ({ enabled, raised }) => (raised ? 'raised' : enabled ? 'on' : 'off'),
    paint: (text, { enabled, raised }, style) =>
      raised ? style.yellow(text) : enabled ? style.green(text) : style.dim(text),
  },
  { field: 'threshold_usd', title: 'WHEN', text: conditionText },
]

/** `below $5.00`, `lasts fewer than 7 days` */
export function conditionText({ kind, threshold_usd: threshold, days }: AlertRule): string {
  switch (kind) {
    case 'balance':
      return threshold === null ? '' : `the balance is below ${dollars(threshold)}`
    case 'runway':
      return `the credit lasts for fewer than ${days} days`
    case 'key_expiry':
      return `a key expires within ${days} days`
    case 'unusual_spend':
      return 'an hour costs more than five times what it usually does'
    default:
      return ''
  }
}

export const listAlerts = command({
  details: ['Budgets tell at their own percentages. Whom they tell: turnpike webhooks list.'],
  arguments: {},
  options: {},
  fields: alertRuleFields,
  examples: [{ does: 'What you are told of', line: 'turnpike alerts list' }],
  async run(context) {
    const found = await askAsUser<List<AlertRule>>(context, { path: alertsPath })
    return rows(found, columns, 'There are no alerts.')
  },
})
