import type { UsageFilter } from '@turnpike/gateway'
import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely'
import type { Schema } from '../schema.ts'

/** The filter as a condition on `requests`. */
export function matches(
  filter: UsageFilter,
): (builder: ExpressionBuilder<Schema, 'requests'>) => ExpressionWrapper<Schema, 'requests', SqlBool> {
  return (builder) => {
    const conditions = [
      builder('requests.started_at_ms', '>=', atLeast(filter.fromMs)),
      builder('requests.started_at_ms', '<', atLeast(filter.toMs)),
    ]
    if (filter.accountId !== undefined) conditions.push(builder('requests.account_id', '=', filter.accountId))
    if (filter.keyId !== undefined) conditions.push(builder('requests.key_id', '=', filter.keyId))
    if (filter.model !== undefined) conditions.push(builder('requests.model_served', '=', filter.model))
    if (filter.outcome !== undefined) conditions.push(builder('requests.outcome', '=', filter.outcome))
    for (const tag of filter.tags ?? []) conditions.push(hasTag(builder, filter, tag))
    return builder.and(conditions)
  }
}

/** Bounds may have fractions, columns do not: the next whole millisecond divides them in the same way. */
const atLeast = (ms: number): bigint => BigInt(Math.ceil(ms))

/** The requests that count in figures: every outcome but `failed` (contract, section 4.7). */
export const isSuccessful = sql<SqlBool>`requests.outcome <> 'failed'`

/** Of one account, the tag's own rows answer alone; of all accounts, each request is looked up among them. */
function hasTag(builder: ExpressionBuilder<Schema, 'requests'>, filter: UsageFilter, tag: string) {
  const tagged = builder
    .selectFrom('request_tags')
    .select('request_tags.request_id')
    .where('request_tags.tag', '=', tag)
  if (filter.accountId === undefined)
    return builder.exists(
      tagged
        .whereRef('request_tags.account_id', '=', 'requests.account_id')
        .whereRef('request_tags.started_at_ms', '=', 'requests.started_at_ms')
        .whereRef('request_tags.request_id', '=', 'requests.id'),
    )
  return builder(
    'requests.id',
    'in',
    tagged
      .where('request_tags.account_id', '=', filter.accountId)
      .where('request_tags.started_at_ms', '>=', atLeast(filter.fromMs))
      .where('request_tags.started_at_ms', '<', atLeast(filter.toMs)),
  )
}
