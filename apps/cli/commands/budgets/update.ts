import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { budgetFacts, budgetPath, hardOf, percentsOf } from './budget-columns.ts'

export const updateBudget = command({
  details: ['What a budget is on, and its period, never change: delete it, and make another one.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {
    limit: text('usd', 'What may be spent in one period'),
    name: text('label', 'What you call it'),
    hard: flag('Refuse what goes beyond it'),
    soft: flag('Only tell: refuse nothing'),
    notify: text('percentages', 'When to tell, as in 50,80,100, or none'),
  },
  fields: budgetFields,
  examples: [
    { does: 'Raise it', line: 'turnpike budgets update bud_01k9... --limit 200' },
    { does: 'Let it refuse nothing any more', line: 'turnpike budgets update bud_01k9... --soft' },
  ],
  async run(context, { id, limit, name, hard, soft, notify }) {
    const isHard = hardOf({ hard, soft })
    const percents = percentsOf(notify)
    const body = {
      ...(limit !== undefined && { limit_usd: usdAmount(limit, '--limit', { mayBeZero: true }) }),
      ...(name !== undefined && { name }),
      ...(isHard !== undefined && { hard: isHard }),
      ...(percents !== undefined && { notify: percents }),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change: name an option, such as --limit.')
    const budget = await askAsUser<Budget>(context, { method: 'PATCH', path: budgetPath(id), body })
    return record(budget, (screen) => budgetFacts(budget, screen))
  },
})
