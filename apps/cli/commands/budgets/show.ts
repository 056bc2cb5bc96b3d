import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { budgetFacts, budgetPath } from './budget-columns.ts'

export const showBudget = command({
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {},
  fields: budgetFields,
  examples: [
    { does: 'Show a budget', line: 'turnpike budgets show bud_01k9...' },
    { does: 'What is left of it', line: 'turnpike budgets show bud_01k9... --fields left_usd' },
  ],
  async run(context, { id }) {
    const budget = await askAsUser<Budget>(context, { path: budgetPath(id) })
    return record(budget, (screen) => budgetFacts(budget, screen))
  },
})
