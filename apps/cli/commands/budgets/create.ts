import { budgetFields, spendPeriods, type Budget } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command, required, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { ruleOptions, rulesBody, scopeBody } from './budget-options.ts'

export const createBudget = command({
  details: [
    'It is hard unless --soft says otherwise: requests that it does not cover are refused, and of ' +
      'several budgets the tightest decides. What was spent in the period before it was made counts. ' +
      'stdout is its id.',
    '--on is `organization` (the whole account), `project:prj_…`, `member:mem_…`, `key:key_…`, ' +
      '`tag:team:search` or `model:openai/gpt-5-mini`. It never changes, nor does the period.',
  ],
  arguments: {},
  options: {
    limit: required('usd', 'What may be spent in one period; 0: only what costs nothing'),
    on: text('what', 'What it is on (default organization: the whole account)'),
    name: text('label', 'What you call it (default: what it is on)'),
    period: choice('period', 'In what time (default month); UTC, weeks from Monday', spendPeriods),
    ...ruleOptions,
  },
  fields: budgetFields,
  examples: [
    {
      does: 'A team may spend 500 USD a month',
      line: 'turnpike budgets create --name Search --on tag:team:search --limit 500 --period month',
    },
    {
      does: 'Be told when the whole account has spent 100 USD in a day',
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
