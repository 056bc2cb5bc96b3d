import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { askFirst } from '../ask-first.ts'
import { budgetPath, limitText } from './budget-columns.ts'

export const deleteBudget = command({
  details: ['From then on nothing is refused for its sake. On a terminal you are asked first.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: { yes: flag('Do not ask') },
  fields: budgetFields,
  examples: [{ does: 'Delete a budget', line: 'turnpike budgets delete bud_01k9... --yes' }],
  async run(context, { id, yes }) {
    const path = budgetPath(id)
    const { name, ...known } = await askAsUser<Budget>(context, { path })
    await askFirst(context, yes, `Delete ${oneLine(name)} (${limitText({ name, ...known })})?`)
    const budget = await askAsUser<Budget>(context, { method: 'DELETE', path })
    context.output.done(`Deleted budget ${oneLine(budget.name)}`)
    return record(budget, () => '')
  },
})
