import { sql, type RawBuilder } from 'kysely'
import { isInPeriods } from '../usage/filter.ts'
import type { Connection } from '../schema.ts'
import type { NetPeriods } from '../usage/period.ts'

export interface NetSums {
  table: 'health_totals' | 'health_errors'
  /** Expressions that rows are grouped by, under their name in the result. */
  names: Record<string, RawBuilder<unknown>>
  sums: readonly string[]
  periods: NetPeriods
  /** All conditions except the periods. */
  matching: RawBuilder<unknown>
}

/**
 * Sums rollups by group: the periods in `added` minus the periods in `taken`. Groups left without requests
 * are omitted. The table is named `totals`.
 */
export function netSums(
  connection: Connection,
  { table, names, sums, periods, matching }: NetSums,
): RawBuilder<unknown> {
  const { added, taken } = periods
  const fields = Object.entries(names)
  const named = sql.join(fields.map(([name, of]) => sql`${of} as ${sql.ref(name)}`))
  const columnNames = sql.join(fields.map(([name]) => sql.ref(name)))
  const positions = (count: number) => sql.join(Array.from({ length: count }, (_, at) => sql.lit(at + 1)))
  const summed = sql.join(sums.map((sum) => sql`cast(sum(${sql.ref(sum)}) as bigint) as ${sql.ref(sum)}`))
  const within = isInPeriods(connection, [...added, ...taken])
  const from = sql`from ${sql.table(table)} as totals where ${within} and ${matching}`
  const [first] = taken
  if (first === undefined) return sql`select ${named}, ${summed} ${from} group by ${positions(fields.length)}`
  const net = sql.join(
    sums.map((sum) => {
      const part = sql.ref(sum)
      return sql`cast(sum(case when is_taken = 1 then -${part} else ${part} end) as bigint) as ${part}`
    }),
  )
  const isTaken = sql`case when ${isInPeriods(connection, taken)} then 1 else 0 end`
  return sql`select * from (
    select ${columnNames}, ${net} from (
      select ${named}, ${isTaken} as is_taken, ${summed} ${from} group by ${positions(fields.length + 1)}
    ) as parts group by ${positions(fields.length)}
  ) as net where requests > 0`
}
