import { budgetScopes, formatUsd, type Budget, type BudgetSpent } from '@turnpike/billing'
import { spendLimitPeriods, spendPeriodAt } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { epochSeconds, nullable, timestamp, usd } from '../validation/fields.ts'

const describedUsd = (description: string) => Type.Unsafe<string>({ ...usd, description })

export const budgetFields = {
  id: Type.String(),
  object: Type.Literal('budget'),
  name: Type.String({ description: 'A label.' }),
  scope: Type.Enum([...budgetScopes], {
    description: 'What it applies to: the whole account, or the part of it named by `subject`.',
  }),
  subject: nullable(
    Type.String({
      description:
        'The project, member, key, tag or model. The budget of a rotated key moves to the new key. Null: ' +
        'the whole account.',
    }),
  ),
  period: Type.Enum([...spendLimitPeriods], {
    description: 'A day, an ISO week (from Monday) or a month, all UTC, or all time.',
  }),
  limit_usd: describedUsd('The limit per period, in USD.'),
  hard: Type.Boolean({
    description: 'Whether requests over the limit are refused (402). False: it only notifies.',
  }),
  notify: Type.Array(Type.Integer(), {
    description: 'Percentages of the limit at which the owner is notified.',
  }),
  spent_usd: describedUsd('Spent in the current period.'),
  reserved_usd: describedUsd(
    'Reserved by the gateway for requests in progress, and by its nodes for upcoming ones.',
  ),
  left_usd: describedUsd('The limit minus what is spent; 0 if it is exceeded.'),
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
