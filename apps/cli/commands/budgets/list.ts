import { budgetFields, type Budget, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { budgetColumns } from './budget-columns.ts'

export default command({
  details: ['Shows spending in the current period.'],
  options: pageOptions,
  fields: budgetFields,
  examples: [
    { does: 'List the budgets', line: 'turnpike budgets list' },
    { does: 'What is left of each', line: 'turnpike budgets list --fields name,left_usd --org Engines' },
  ],
  async run(context, input) {
    const found = await askAsUser<List<Budget>>(context, {
      path: '/api/v1/budgets',
      query: pageQuery(input),
    })
    return rows(found, budgetColumns, 'No budgets yet. Create one: turnpike budgets create --limit 100')
  },
})
