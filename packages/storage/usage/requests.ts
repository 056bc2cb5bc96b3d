import type { RequestRecord, UsageFilter } from '@turnpike/gateway'
import { sql } from 'kysely'
import { requestsWithPrices, toRecord } from '../requests/request-row.ts'
import type { Connection } from '../schema.ts'
import { furtherMatches, listAsTable, matches, totalsTable } from './filter.ts'
import { dayMs, periodsOf, periodStartMs } from './period.ts'

export interface Stretch {
  order: 'asc' | 'desc'
  limit: number
  /** Returns only requests after this one in the given order. */
  beyond: Pick<RequestRecord, 'id' | 'startedAtMs'> | undefined
}

/** Requests that match, in the order of their identifiers. */
export async function listRequests(
  connection: Connection,
  filter: UsageFilter,
  { order, limit, beyond }: Stretch,
): Promise<RequestRecord[]> {
  const rest = { ...filter }
  if (beyond !== undefined && order === 'asc') rest.fromMs = Math.max(filter.fromMs, beyond.startedAtMs)
  if (beyond !== undefined && order === 'desc') rest.toMs = Math.min(filter.toMs, beyond.startedAtMs + 1)
  const records: RequestRecord[] = []
  for await (const range of rangesWithAny(connection, rest, order)) {
    const rows = await requestsWithPrices(connection)
      .where(matches({ ...rest, ...range }))
      .$if(beyond !== undefined, (query) =>
        query.where('requests.id', order === 'asc' ? '>' : '<', beyond!.id),
      )
      .orderBy('requests.id', order)
      .limit(limit - records.length)
      .execute()
    for (const row of rows) records.push(toRecord(row))
    if (records.length === limit) break
  }
  return records
}

/** Days looked up in the totals first; each further step looks up this many times as many. */
const firstDays = 32
const daysFactor = 8

interface Range {
  fromMs: number
  toMs: number
}

/**
 * The parts of the filter's range that have matches. The totals know the days, even for conditions that no
 * index on requests serves: a rare tag, a key that is rarely used.
 */
async function* rangesWithAny(
  connection: Connection,
  filter: UsageFilter,
  order: Stretch['order'],
): AsyncGenerator<Range> {
  const days = daysOf(filter)
  if (order === 'desc') days.reverse()
  for (let start = 0, count = firstDays; start < days.length; start += count, count *= daysFactor) {
    const { rows } = await sql<{ value: string }>`
      select value from ${listAsTable(connection, days.slice(start, start + count))} where exists (
        select 1 from ${totalsTable(filter)} as totals where totals.period = value ${furtherMatches(filter)})
    `.execute(connection)
    const ranges = joinDays(rows.map(({ value }) => periodStartMs(value)))
    if (order === 'desc') ranges.reverse()
    for (const { fromMs, toMs } of ranges)
      yield { fromMs: Math.max(fromMs, filter.fromMs), toMs: Math.min(toMs, filter.toMs) }
  }
}

/** The days that overlap the range. */
function daysOf({ fromMs, toMs }: Range): string[] {
  const startMs = Math.floor(fromMs / dayMs) * dayMs
  return periodsOf(startMs, Math.ceil(toMs / dayMs) * dayMs, 'day')
}

/** Joins consecutive days into ranges, in the order of time. */
function joinDays(startsMs: number[]): Range[] {
  const ranges: Range[] = []
  for (const startMs of startsMs.sort((left, right) => left - right)) {
    const last = ranges[ranges.length - 1]
    if (last?.toMs === startMs) last.toMs += dayMs
    else ranges.push({ fromMs: startMs, toMs: startMs + dayMs })
  }
  return ranges
}
