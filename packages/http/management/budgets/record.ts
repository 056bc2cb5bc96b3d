import { budgetScopes, formatUsd, type Budget, type BudgetSpent } from '@turnpike/billing'
import { spendLimitPeriods, spendPeriodAt } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

const described = (description: string) => Type.Unsafe<string>({ ...usd, description })

export const budgetFields = {
  id: Type.String(),
  object: Type.Literal('budget'),
  name: Type.String({ description: 'A label of your own.' }),
  scope: Type.Enum([...budgetScopes], {
    description: 'What it is on: the whole account, or what of it goes by one `subject`.',
  }),
  subject: nullable(
    Type.String({
      description:
        'The project, member, key, tag or model. A rotated key’s budget goes on with the new key. Null: ' +
        'the whole account.',
    }),
  ),
  period: Type.Enum([...spendLimitPeriods], {
    description: 'A day, an ISO week (from Monday) or a month, all UTC, or all time.',
  }),
  limit_usd: described('What may be spent in one period, in USD.'),
  hard: Type.Boolean({ description: 'Whether requests beyond it are refused (402). False: it only tells.' }),
  notify: Type.Array(Type.Integer(), {
    description: 'At which percentages of the limit its owner is told.',
  }),
  spent_usd: described('What was spent in the period under way.'),
  reserved_usd: described(
    'What the gateway holds of it: for requests under way, and what its nodes have ready for the next ones.',
  ),
  left_usd: described('The limit less what is spent; 0 where it is exceeded.'),
  resets_at: nullable(
    Type.Integer({ description: 'When the next period begins, in Unix epoch seconds. Null: never.' }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
}

export const budgetSchema = Type.Object(budgetFields, { title: 'Budget' })

export function budgetRecord(
  budget: Budget,
  { spentPico, reservedPico }: BudgetSpent,
  nowMs: number,
): Static<typeof budgetSchema> {
  const { scope, subject, period, limitPico } = budget
  const { endsAtMs } = spendPeriodAt(period, nowMs)
  return {
    id: budget.id,
    object: 'budget',
    name: budget.name,
    scope,
    subject: scope === 'organization' ? null : subject,
    period,
    limit_usd: formatUsd(limitPico),
    hard: budget.isHard,
    notify: budget.notifyPercents,
    spent_usd: formatUsd(spentPico),
    reserved_usd: formatUsd(reservedPico),
    left_usd: formatUsd(limitPico > spentPico ? limitPico - spentPico : 0n),
    resets_at: period === 'total' ? null : epochSeconds(endsAtMs),
    created_at: epochSeconds(budget.createdAtMs),
    updated_at: epochSeconds(budget.updatedAtMs),
  }
}
