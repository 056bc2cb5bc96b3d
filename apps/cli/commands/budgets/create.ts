import { budgetFields, budgetScopes, spendPeriods, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { choice, command, flag, required, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { budgetsPath, hardOf, limitText, percentsOf } from './budget-columns.ts'

export const createBudget = command({
  details: [
    'What may be spent in a day, a week, a month (UTC) or in total. What was spent in the period before it ' +
      'was made counts. stdout is its id.',
  ],
  arguments: {},
  options: {
    limit: required('usd', 'What may be spent in one period'),
    period: choice('period', 'In what time (default month)', spendPeriods),
    scope: choice('scope', 'What it is on (default organization: the whole account)', budgetScopes),
    subject: text('subject', 'Which project, member, key, tag or model'),
    name: text('label', 'What you call it (default: what it is on)'),
    soft: flag('Only tell: refuse nothing'),
    notify: text('percentages', 'When to tell, as in 50,80,100, or none (default 50,80,100)'),
  },
  fields: budgetFields,
  examples: [
    { does: 'The whole account, 100 USD a month', line: 'turnpike budgets create --limit 100' },
    {
      does: 'One tag, 20 USD a day',
      line: 'turnpike budgets create --limit 20 --period day --scope tag --subject team:search',
    },
    {
      does: 'Only be told of a model',
      line: 'turnpike budgets create --limit 50 --scope model --subject openai/gpt-5-mini --soft',
    },
  ],
  async run(context, { limit, period = 'month', scope = 'organization', subject, name, soft, notify }) {
    if (scope !== 'organization' && subject === undefined)
      throw badInput(`--subject: expected which ${scope} it is on.`, '--subject')
    const percents = percentsOf(notify)
    const body = {
      name: name ?? subject ?? 'Whole account',
      scope,
      ...(subject !== undefined && { subject }),
      period,
      limit_usd: usdAmount(limit, '--limit', { mayBeZero: true }),
      hard: hardOf({ hard: false, soft }) ?? true,
      ...(percents !== undefined && { notify: percents }),
    }
    const budget = await askAsUser<Budget>(context, { method: 'POST', path: budgetsPath, body })
    const { bold } = context.output.messages.style
    context.output.done(`Made budget ${bold(oneLine(budget.name))}: ${limitText(budget)}`)
    return record(budget, () => `${budget.id}\n`)
  },
})
