import { alertKinds, alertRuleFields, type AlertRule } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { usdAmount, wholeNumber } from '../../program/number-option.ts'
import { alertsPath, conditionText } from './list.ts'

const mostDays = 90

export const setAlert = command({
  details: ['`balance` has --below, `runway` and `key_expiry` have --days. Without `--off` it turns on.'],
  arguments: { kind: { kind: 'one', description: 'The alert', choices: alertKinds } },
  options: {
    below: text('usd', 'Of `balance`: the balance below which it tells'),
    days: text('n', 'Of `runway`: how long the credit lasts; of `key_expiry`: how long before'),
    off: flag('Turn it off'),
  },
  fields: alertRuleFields,
  examples: [
    { does: 'Be told below 10 USD', line: 'turnpike alerts set balance --below 10' },
    {
      does: 'Be told when the credit lasts for less than a week',
      line: 'turnpike alerts set runway --days 7',
    },
    { does: 'No word of unusual spend any more', line: 'turnpike alerts set unusual_spend --off' },
  ],
  async run(context, { kind, below, days, off }) {
    const number = wholeNumber(days, '--days', { min: 1, max: mostDays })
    const body = {
      enabled: !off,
      ...(below !== undefined && { threshold_usd: usdAmount(below, '--below') }),
      ...(number !== undefined && { days: number }),
    }
    const path = `${alertsPath}/${encodeURIComponent(kind)}`
    const rule = await askAsUser<AlertRule>(context, { method: 'PUT', path, body })
    context.output.done(rule.enabled ? `It tells when ${conditionText(rule)}` : `${rule.kind} is off`)
    return record(rule, () => '')
  },
})
