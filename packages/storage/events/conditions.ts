import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Schema } from '../schema.ts'

/** The rest of a condition on `account_id`, where null means the operator. */
export function isOf(accountId: string | null): ['is' | '=', string | null] {
  return accountId === null ? ['is', null] : ['=', accountId]
}

/** Matches deliveries to a target, and to the targets of members behind it. */
export function isToTarget(targetId: string) {
  return (
    where: ExpressionBuilder<Schema, 'event_deliveries'>,
  ): ExpressionWrapper<Schema, 'event_deliveries', SqlBool> =>
    where.or([
      where('target_id', '=', targetId),
      where('target_id', 'in', (targets) =>
        targets.selectFrom('event_targets').select('event_targets.id').where('parent_id', '=', targetId),
      ),
    ])
}
