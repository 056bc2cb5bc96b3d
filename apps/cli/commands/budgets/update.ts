import { budgetFields, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { budgetFacts } from './budget-columns.ts'
import { budgetPath, ruleOptions, rulesBody } from './budget-options.ts'

export default command({
  details: ['What it covers and its period cannot be changed; create another one instead.'],
  arguments: { id: { kind: 'one', description: 'The id of the budget' } },
  options: {
    name: text('label', 'A label'),
    limit: text('usd', 'Limit per period in USD; 0 allows only free models'),
    ...ruleOptions,
  },
  fields: budgetFields,
  examples: [
    { does: 'Raise it', line: 'turnpike budgets update bud_01k9... --limit 800' },
    { does: 'Make it soft', line: 'turnpike budgets update bud_01k9... --soft' },
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
