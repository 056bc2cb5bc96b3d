import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { budgetPath } from './budget-options.ts'

export default command({
  details: ['Takes effect at once. Asks for confirmation on a terminal.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: { yes: flag('Do not ask for confirmation') },
  fields: budgetFields,
  examples: [
    { does: 'Delete it', line: 'turnpike budgets delete bud_01k9...' },
    { does: 'From a script', line: 'turnpike budgets delete bud_01k9... --yes' },
  ],
  async run(context, { id, yes }) {
    await requireYes(context, yes, `Delete the budget ${oneLine(id)}?`)
    const deleted = await askAsUser<Budget>(context, { method: 'DELETE', path: budgetPath(id) })
    context.output.done(`Deleted the budget ${oneLine(deleted.name)}`)
    return record(deleted, () => '')
  },
})
