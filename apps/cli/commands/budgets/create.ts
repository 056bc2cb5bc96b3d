import { budgetFields, spendPeriods, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command, requiredText, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { ruleOptions, rulesBody, scopeBody } from './budget-options.ts'

export default command({
  details: [
    'A hard budget (the default) refuses requests it does not cover; if several apply, the ' +
      'tightest decides. Earlier spending in the period counts. Prints its id.',
    '--on is `organization` (the whole account), `project:prj_…`, `member:mem_…`, `key:key_…`, ' +
      '`tag:team:search` or `model:openai/gpt-5-mini`. It cannot be changed later, nor can --period.',
  ],
  options: {
    limit: requiredText('usd', 'Limit per period in USD; 0 allows only free models'),
    on: text('what', 'What it covers (default organization: the whole account)'),
    name: text('label', 'A label (default: what it covers)'),
    period: choice('period', 'Period (default month); UTC, weeks start on Monday', spendPeriods),
    ...ruleOptions,
  },
  fields: budgetFields,
  examples: [
    {
      does: 'A team may spend 500 USD a month',
      line: 'turnpike budgets create --name Search --on tag:team:search --limit 500 --period month',
    },
    {
      does: 'Notify when the whole account has spent 100 USD in a day',
      line:
        'turnpike budgets create --name Day --on organization --limit 100 --period day --soft ' +
        '--notify 100',
    },
  ],
  async run(context, { name, on = 'organization', limit, period, ...rules }) {
    const body = {
      name: name ?? (on === 'organization' ? 'Whole account' : on),
      ...scopeBody(on),
      period: period ?? 'month',
      limit_usd: usdAmount(limit, '--limit', { mayBeZero: true }),
      ...rulesBody(rules),
    }
    const made = await askAsUser<Budget>(context, { method: 'POST', path: '/api/v1/budgets', body })
    const { bold } = context.output.messages.style
    context.output.done(`Created the ${made.hard ? 'hard' : 'soft'} budget ${bold(oneLine(made.name))}`)
    return record(made, () => `${made.id}\n`)
  },
})
