import { dollars, type AlertRule } from '@turnpike/api'
import type { Column } from '../../terminal/table.ts'

function whenText({ kind, threshold_usd: threshold, days }: AlertRule): string {
  switch (kind) {
    case 'balance':
      return threshold === null ? '' : `total credit is below ${dollars(threshold)}`
    case 'runway':
      return `credit lasts for fewer than ${days} days`
    case 'unusual_spend':
      return 'an hour costs far more than usual'
    case 'key_expiry':
      return `a key expires within ${days} days`
    default:
      return ''
  }
}

export const alertColumns: Column<AlertRule>[] = [
  { field: 'kind', title: 'ALERT', text: ({ kind }) => kind, paint: (text, _, { bold }) => bold(text) },
  {
    field: 'enabled',
    title: 'STATE',
    text: ({ enabled, raised }) => (raised ? 'on, triggered' : enabled ? 'on' : 'off'),
    paint: (text, { enabled, raised }, style) =>
      raised ? style.yellow(text) : enabled ? style.green(text) : style.dim(text),
    narrow: 'keep',
  },
  { field: 'threshold_usd', title: 'WHEN', text: whenText },
]
