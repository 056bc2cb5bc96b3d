import { budgetFields, dollars, type BudgetReport } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { budgetFacts } from './budget-columns.ts'
import { budgetPath } from './budget-options.ts'

export const showBudget = command({
  details: [
    'What is spent and left of the period under way, what it may come to, and when the next one begins. ' +
      '`days` of the JSON are those of the period, or for a budget in total the last 30.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {},
  fields: [...budgetFields, 'forecast_usd', 'days'],
  examples: [
    { does: 'How it stands', line: 'turnpike budgets show bud_01k9...' },
    { does: 'What is left, for a script', line: 'turnpike budgets show bud_01k9... --fields left_usd' },
  ],
  async run(context, { id }) {
    const report = await askAsUser<BudgetReport>(context, { path: budgetPath(id, '/report') })
    const { budget, forecast_usd: forecast, days } = report
    return record({ ...budget, forecast_usd: forecast, days }, (screen) =>
      budgetFacts(budget, screen, forecast === null ? [] : [['forecast', dollars(forecast)]]),
    )
  },
})
