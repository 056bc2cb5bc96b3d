import {
  maxUsageGroups,
  tagKeyOf,
  type Page,
  type UsageBreakdown,
  type UsageDimension,
  type UsageFilter,
  type UsageGroup,
  type UsageTotals,
} from '@turnpike/gateway'
import { sql, type RawBuilder } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Connection } from '../schema.ts'
import { operationColumn, totalsByEndpoint } from './endpoint-totals.ts'
import { hasTags, totalsMatch } from './filter.ts'
import { ownerOfKey } from './key-owners.ts'
import { counts, summed, sums, toTotals, type TotalsRow } from './totals.ts'

type NamedDimension = Exclude<UsageDimension, `tag:${string}`>

/** The column of each dimension. A day is part of its hours' period names too. */
const dimensionColumns: Record<NamedDimension, RawBuilder<string | null>> = {
  tag: sql`tag`,
  model: sql`model`,
  key: sql`key_id`,
  member: ownerOfKey('member_id'),
  project: ownerOfKey('project_id'),
  day: sql`substr(period, 2, 10)`,
  hour: sql`substr(period, 2, 13) || ':00Z'`,
  provider: sql`provider`,
  tier: sql`tier`,
  endpoint: sql`endpoint`,
  operation: operationColumn,
}

/** A group, or at place 0 the sum of this group and all that follow. */
type FoundRow = TotalsRow &
  Record<`group_${number}`, string | null> & { cost_upper: bigint; cost_lower: bigint; place: bigint }

/** The position of a group: most expensive first, then by name. */
interface Place {
  upper: number
  lower: number
  names: (string | null)[]
}

export async function breakdown(
  connection: Connection,
  filter: UsageFilter,
  by: readonly UsageDimension[],
  { limit, cursor }: Page = { limit: maxUsageGroups },
): Promise<UsageBreakdown> {
  if (by.length === 0 || new Set(by).size !== by.length)
    throw new RangeError('a breakdown is by at least one dimension, and by none twice')
  const list = `breakdown:${filter.accountId ?? ''}:${by.join()}`
  const cursors = cursorsOf(list, ['number', 'number', 'text-or-null', 'text-or-null'])
  const [upper, lower, ...names] = cursor === undefined ? [] : cursors.decode(cursor)
  const beyond = upper === undefined ? undefined : { upper, lower: lower!, names: names.slice(0, by.length) }
  const { rows } = await pageOfGroups(connection, filter, by, limit, beyond).execute(connection)
  const [all, ...found] = rows
  const page = pageOf(found, limit, cursors, (row) => [
    Number(row.cost_upper),
    Number(row.cost_lower),
    row['group_0'] ?? null,
    row['group_1'] ?? null,
  ])
  const groups = page.rows.map((row) => ({
    groups: by.map((dimension, index) => groupName(dimension, row[`group_${index}`] ?? null)),
    ...toTotals(row),
  }))
  const others = page.nextCursor === null ? null : groups.reduce<UsageTotals>(less, toTotals(all!))
  return { rows: inOrderOfTime(groups, by), nextCursor: page.nextCursor, others }
}

/** The groups and the total, in one statement, so that they are consistent. */
function pageOfGroups(
  connection: Connection,
  filter: UsageFilter,
  by: readonly UsageDimension[],
  limit: number,
  beyond: Place | undefined,
): RawBuilder<FoundRow> {
  const groups = by.map((_, index) => sql.ref(`group_${index}`))
  const columns = by.map((dimension, index) => sql`${columnOf(dimension, index)} as ${groups[index]!}`)
  const order = sql.join([
    sql`cost_upper desc, cost_lower desc`,
    ...groups.map((group) => sql`${group} is null, ${group}`),
  ])
  return sql<FoundRow>`
    with found as materialized (
      select ${sql.join(columns)}, ${sums}, ${costHalves} from ${source(connection, filter, by)} as totals
      group by ${sql.join(groups)} having sum(requests) > 0
    ),
    behind as (select * from found ${beyond === undefined ? sql`` : sql`where ${isBehind(beyond, groups)}`}),
    page as (select * from behind order by ${order} limit ${sql.lit(limit + 1)})
    select ${sql.join([...groups, ...summed])}, cost_upper, cost_lower,
      row_number() over (order by ${order}) as place
    from page
    union all
    select ${sql.join(groups.map(() => sql`null`))}, ${sums}, 0, 0, 0 from behind
    order by place
  `
}

/** A cost as two numbers that sort exactly beyond 64 bits. Both engines call a 64-bit type `bigint`. */
const costHalves = sql`
  cast(sum(cost_high) as bigint) + (cast(sum(cost_low) as bigint) >> 32) as cost_upper,
  cast(sum(cost_low) as bigint) & 4294967295 as cost_lower`

/** Whether a group follows this place. Only untagged requests have a null name, which comes last. */
function isBehind(
  { upper, lower, names }: Place,
  groups: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const steps: { same: RawBuilder<unknown>; later: RawBuilder<unknown> }[] = [
    { same: sql`cost_upper = ${BigInt(upper)}`, later: sql`cost_upper < ${BigInt(upper)}` },
    { same: sql`cost_lower = ${BigInt(lower)}`, later: sql`cost_lower < ${BigInt(lower)}` },
    ...groups.map((group, index) => {
      const name = names[index] ?? null
      if (name === null) return { same: sql`${group} is null`, later: sql`1 = 0` }
      return { same: sql`${group} = ${name}`, later: sql`(${group} > ${name} or ${group} is null)` }
    }),
  ]
  const ways = steps.map(({ later }, index) =>
    sql.join([...steps.slice(0, index).map(({ same }) => same), later], sql` and `),
  )
  return sql`(${sql.join(ways, sql` or `)})`
}

/** Sorts days and hours by time. */
function inOrderOfTime(groups: UsageGroup[], by: readonly UsageDimension[]): UsageGroup[] {
  const place = by.findIndex((dimension) => dimension === 'day' || dimension === 'hour')
  if (place === -1) return groups
  const timeOf = (group: UsageGroup): string => group.groups[place] ?? ''
  return groups.toSorted(
    (left, right) => Number(timeOf(left) > timeOf(right)) - Number(timeOf(left) < timeOf(right)),
  )
}

function less(sum: UsageTotals, part: UsageTotals): UsageTotals {
  return {
    totalRequests: sum.totalRequests - part.totalRequests,
    totalTokensIn: sum.totalTokensIn - part.totalTokensIn,
    totalTokensOut: sum.totalTokensOut - part.totalTokensOut,
    totalCostPico: sum.totalCostPico - part.totalCostPico,
    totalBaselinePico: sum.totalBaselinePico - part.totalBaselinePico,
    totalVendorCostPico: sum.totalVendorCostPico - part.totalVendorCostPico,
    totalCostedPico: sum.totalCostedPico - part.totalCostedPico,
  }
}

/** A missing tag is null; in other dimensions '' means none. */
function groupName(dimension: UsageDimension, value: string | null): string | null {
  return value === '' && !isOfTags(dimension) ? null : value
}

/** The totals that match. By tag: first summed by set, then each set's sum counts under each of its tags. */
function source(
  connection: Connection,
  filter: UsageFilter,
  by: readonly UsageDimension[],
): RawBuilder<unknown> {
  const matching = sql`where ${totalsMatch(connection, filter, longestPeriodOf(by))} ${counts(filter)}`
  const isByTag = by.some(isOfTags)
  const totals = totalsByEndpoint(filter, by, { withTags: isByTag || hasTags(filter), matching })
  if (!isByTag) return totals
  const kept = sql.join(['account_id', 'tag_set', ...columnsOf(by)].map((column) => sql.ref(column)))
  const sets = sql`(select ${kept}, ${sums} from ${totals} as totals group by ${kept}) as sets`
  const values = by.flatMap((dimension, index) => {
    const key = tagKeyOf(dimension)
    return key === undefined ? [] : [sql`${valueOfKey(key)} as ${valueColumn(index)}`]
  })
  if (!by.includes('tag')) return sql`(select ${sql.join([sql`sets.*`, ...values])} from ${sets})`
  return sql`(
    select ${sql.join([sql`sets.*, tag_sets.tag`, ...values])} from ${sets}
    left join tag_sets on tag_sets.account_id = sets.account_id and tag_sets.id = sets.tag_set
  )`
}

function longestPeriodOf(by: readonly UsageDimension[]): 'month' | 'day' | 'hour' {
  if (by.includes('hour')) return 'hour'
  return by.includes('day') ? 'day' : 'month'
}

function isOfTags(dimension: UsageDimension): boolean {
  return dimension === 'tag' || tagKeyOf(dimension) !== undefined
}

function columnOf(dimension: UsageDimension, index: number): RawBuilder<string | null> {
  const isNamed = tagKeyOf(dimension) === undefined
  return isNamed ? dimensionColumns[dimension as NamedDimension] : valueColumn(index)
}

/** The value for the dimension at this position. */
const valueColumn = (index: number): RawBuilder<string | null> => sql.ref(`tag_value_${index}`)

/** The value of a set's tag `key:value`; null without such a tag. Each set has one value. */
function valueOfKey(key: string): RawBuilder<string | null> {
  const start = `${key}:`
  const length = sql.lit(Array.from(start).length)
  return sql`(
    select min(substr(keyed.tag, ${length} + 1)) from tag_sets as keyed
    where keyed.account_id = sets.account_id and keyed.id = sets.tag_set
      and substr(keyed.tag, 1, ${length}) = ${start} and length(keyed.tag) > ${length}
  )`
}

const plainColumns: Record<Exclude<NamedDimension, 'tag'>, string> = {
  model: 'model',
  key: 'key_id',
  member: 'key_id',
  project: 'key_id',
  day: 'period',
  hour: 'period',
  provider: 'provider',
  tier: 'tier',
  endpoint: 'endpoint',
  operation: 'endpoint',
}

function columnsOf(by: readonly UsageDimension[]): string[] {
  const plain = by.filter((dimension) => !isOfTags(dimension)) as (keyof typeof plainColumns)[]
  return [...new Set(plain.map((dimension) => plainColumns[dimension]))]
}
