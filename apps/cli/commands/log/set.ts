import { promptLogFields } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { readLogState, stateText } from './state.ts'

const longestDays = 3_650

export default command({
  details: [
    'Entries are encrypted, and only you can read them through the gateway. API keys, tokens, ' +
      'passwords, card numbers and mail addresses are redacted first, as far as their form is ' +
      'recognized. A key can override the setting: `turnpike keys update --log`.',
  ],
  options: {
    on: flag('Keep prompts and answers'),
    off: flag('Stop; existing entries stay until they expire or `turnpike log delete`'),
    days: text('n', 'Number of days'),
  },
  fields: promptLogFields,
  examples: [
    { does: 'Keep prompts and answers for two weeks', line: 'turnpike log set --on --days 14' },
    { does: 'Turn it off', line: 'turnpike log set --off' },
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
