import { budgetFields, dollars, type BudgetReport } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { budgetFacts } from './budget-columns.ts'
import { budgetPath } from './budget-options.ts'

export default command({
  details: [
    'Shows what is spent and left in the current period, a forecast, and when the next one begins. ' +
      'With --json, `days` covers the period (for a total budget the last 30 days).',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  fields: [...budgetFields, 'forecast_usd', 'days'],
  examples: [
    { does: 'Show it', line: 'turnpike budgets show bud_01k9...' },
    { does: 'Only what is left, for a script', line: 'turnpike budgets show bud_01k9... --fields left_usd' },
  ],
  async run(context, { id }) {
    const report = await askAsUser<BudgetReport>(context, { path: budgetPath(id, '/report') })
    const { budget, forecast_usd: forecast, days } = report
    return record({ ...budget, forecast_usd: forecast, days }, (screen) =>
      budgetFacts(budget, screen, forecast === null ? [] : [['forecast', dollars(forecast)]]),
    )
  },
})
