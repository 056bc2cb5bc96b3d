import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { budgetFacts } from './budget-columns.ts'
import { budgetPath, ruleOptions, rulesBody } from './budget-options.ts'

export const updateBudget = command({
  details: ['What it is on and its period never change: make another one.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {
    name: text('label', 'What you call it'),
    limit: text('usd', 'What may be spent in one period; 0: only what costs nothing'),
    ...ruleOptions,
  },
  fields: budgetFields,
  examples: [
    { does: 'Raise it', line: 'turnpike budgets update bud_01k9... --limit 800' },
    { does: 'Have it only tell', line: 'turnpike budgets update bud_01k9... --soft' },
  ],
  async run(context, { id, name, limit, ...rules }) {
    const body = {
      ...(name !== undefined && { name }),
      ...(limit !== undefined && { limit_usd: usdAmount(limit, '--limit', { mayBeZero: true }) }),
      ...rulesBody(rules),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change. Pass an option, such as --limit.')
    const budget = await askAsUser<Budget>(context, { method: 'PATCH', path: budgetPath(id), body })
    return record(budget, (screen) => budgetFacts(budget, screen))
  },
})
