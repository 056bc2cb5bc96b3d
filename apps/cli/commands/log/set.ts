import { promptLogFields } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { readLogState, stateText } from './state.ts'

const longestDays = 3_650

export const setLog = command({
  details: [
    'They are encrypted, and nobody but you reads them by the gateway. API keys, tokens, passwords, card ' +
      'numbers and mail addresses are taken out before they are kept, as far as they are known by their ' +
      'looks. A key may say otherwise: turnpike keys update --log.',
  ],
  arguments: {},
  options: {
    on: flag('Keep prompts and answers'),
    off: flag('Keep none; what is there stays until its days have passed, or turnpike log delete'),
    days: text('n', 'For how many days'),
  },
  fields: promptLogFields,
  examples: [
    { does: 'Keep prompts and answers for two weeks', line: 'turnpike log set --on --days 14' },
    { does: 'Keep no more of them', line: 'turnpike log set --off' },
  ],
  async run(context, { on, off, days }) {
    if (on && off) throw badInput('--on and --off: expected only one of them.', '--off')
    const logDays = wholeNumber(days, '--days', { min: 1, max: longestDays })
    const body = {
      ...((on || off) && { log_prompts: on }),
      ...(logDays !== undefined && { log_days: logDays }),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change. Pass --on, --off or --days.')
    await askAsUser(context, { method: 'PATCH', path: '/api/v1/me', body })
    const state = await readLogState(context)
    return record(state, (screen) => stateText(state, screen))
  },
})
