import { autoTopupFields, dollars, type AutoTopupState } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

export const autoTopupPath = '/api/v1/auto-topup'

export default command({
  fields: autoTopupFields,
  examples: [{ does: 'Show it', line: 'turnpike auto-topup show' }],
  async run(context) {
    const state = await askAsUser<AutoTopupState>(context, { path: autoTopupPath })
    return record(state, (screen) => autoTopupText(state, screen))
  },
})

const stateWords: Record<AutoTopupState['state'], string> = {
  idle: 'idle',
  charging: 'a charge is in progress',
  needs_action: 'your bank wants you to confirm: pay at the checkout below',
  waiting: 'the last charge failed and will be retried',
  stopped: 'stopped after three failed charges. Run `turnpike auto-topup set` to resume',
}

export function autoTopupText(state: AutoTopupState, screen: Screen): string {
  const { style } = screen
  if (state.threshold_usd === null || state.amount_usd === null || state.monthly_cap_usd === null)
    return 'Off. To turn it on, run `turnpike topup --save`, then `turnpike auto-topup set`.'
  const rows: [string, string][] = [
    ['automatic top-up', state.enabled ? style.green('on') : 'off'],
    ['below', dollars(state.threshold_usd)],
    ['charges', dollars(state.amount_usd)],
    ['this month', `${dollars(state.charged_this_month_usd)} of at most ${dollars(state.monthly_cap_usd)}`],
    ['payment method', state.payment_method_id ?? ''],
    ['state', stateWords[state.state]],
  ]
  if (state.is_capped) rows.push(['cap', style.yellow('reached: no more charges this month')])
  if (state.failure !== null) rows.push(['last failure', state.failure])
  if (state.next_attempt_at !== null) rows.push(['next attempt', when(state.next_attempt_at, screen)])
  if (state.action_url !== null) rows.push(['checkout', state.action_url])
  return facts(rows, screen)
}
