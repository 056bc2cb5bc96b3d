import { budgetFields, type Budget, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import { budgetColumns, budgetsPath } from './budget-columns.ts'

export const listBudgets = command({
  arguments: {},
  options: pageOptions,
  fields: budgetFields,
  examples: [
    { does: 'List budgets', line: 'turnpike budgets list' },
    { does: 'Those of an organization', line: 'turnpike budgets list --org Engines' },
  ],
  async run(context, input) {
    const found = await askAsUser<List<Budget>>(context, { path: budgetsPath, query: pageQuery(input) })
    return rows(found, budgetColumns, 'No budgets yet. Make one: turnpike budgets create --help')
  },
})
