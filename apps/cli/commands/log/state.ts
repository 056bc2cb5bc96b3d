import { promptLogFields, type PromptLogState } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import type { Screen } from '../../terminal/screen.ts'
import { facts } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

const path = '/api/v1/me/prompt-log'

export default command({
  fields: promptLogFields,
  examples: [{ does: 'Show them', line: 'turnpike log show' }],
  async run(context) {
    const state = await readLogState(context)
    return record(state, (screen) => stateText(state, screen))
  },
})

export function readLogState(context: Context): Promise<PromptLogState> {
  return askAsUser<PromptLogState>(context, { path })
}

export function stateText(state: PromptLogState, screen: Screen): string {
  if (!state.available) return 'The operator of this gateway has turned off the prompt log.'
  const { style } = screen
  const rows: [string, string][] = [
    [
      'prompts',
      state.log_prompts
        ? style.green('kept, unless a key says otherwise')
        : 'not kept, unless a key says otherwise',
    ],
    ['days', `${state.days} (at most ${state.max_days})`],
    ['entries', String(state.entries)],
    ['bytes', `${state.bytes} of ${state.max_account_bytes}`],
  ]
  if (state.oldest_at !== null) rows.push(['oldest', when(state.oldest_at, screen)])
  return facts(rows, screen)
}
