import { alertFields, alertKinds, type AlertRule, type EventTarget, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { usdAmount, wholeNumber } from '../../program/number-option.ts'
import { table } from '../../terminal/table.ts'
import { alertColumns } from './alert-columns.ts'

const mostDays = 90

export default command({
  details: [
    'Turns it on, unless --off is given. Keeps what you do not name. `balance`: total credit is ' +
      "below --below. `runway`: at last week's pace credit lasts for fewer than --days. " +
      '`unusual_spend`: an hour costs far more than usual. `key_expiry`: a key expires within --days.',
  ],
  arguments: { kind: { kind: 'one', description: 'Which alert', choices: alertKinds } },
  options: {
    below: text('usd', 'For `balance`: threshold'),
    days: text('n', 'For `runway` and `key_expiry`: number of days'),
    off: flag('Turn it off'),
  },
  fields: alertFields,
  examples: [
    { does: 'Notify when less than 20 USD is left', line: 'turnpike alerts set balance --below 20' },
    { does: 'Notify two weeks before a key expires', line: 'turnpike alerts set key_expiry --days 14' },
    { does: 'Turn it off', line: 'turnpike alerts set balance --off' },
  ],
  async run(context, { kind, below, days, off }) {
    const dayCount = wholeNumber(days, '--days', { min: 1, max: mostDays })
    if (below !== undefined && kind !== 'balance')
      throw badInput(`--below: not available for ${kind}.`, '--below')
    if (dayCount !== undefined && kind !== 'runway' && kind !== 'key_expiry')
      throw badInput(`--days: not available for ${kind}.`, '--days')
    const rule = await askAsUser<AlertRule>(context, {
      method: 'PUT',
      path: `/api/v1/alerts/${kind}`,
      body: {
        enabled: !off,
        ...(below !== undefined && { threshold_usd: usdAmount(below, '--below') }),
        ...(dayCount !== undefined && { days: dayCount }),
      },
    })
    if (rule.enabled && !context.output.isJson) await warnOfNobody(context)
    return record(rule, (screen) => table([rule], alertColumns, screen))
  },
})

/** Warns about an alert that nobody would receive. */
async function warnOfNobody(context: Context): Promise<void> {
  const { data } = await askAsUser<List<EventTarget>>(context, { path: '/api/v1/event-targets' })
  if (data.some(({ status }) => status === 'active')) return
  context.output.warn('Nobody is notified yet. Add a recipient: turnpike webhooks create --mail')
}
