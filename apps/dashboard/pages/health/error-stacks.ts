import type { Places } from '../../charts/places.ts'
import { stackOf, type Cell, type Stack } from '../../charts/stack.ts'
import type { HealthFigures, HealthRow } from './health-queries.ts'
import { errorsOf } from './rates.ts'

/** Bars are whole numbers, so shares are failed requests per million. */
export const million = 1_000_000

type Counts = Pick<HealthRow, 'group' | 'requests' | 'errors'>

/** Failed requests by cause, at each place. */
export function countStack(rows: readonly Counts[], { ats, placeOf }: Places): Stack {
  const cells = rows.flatMap((row) =>
    errorsOf(row).map(({ type, requests }): Cell => ({
      at: placeOf(row.group ?? ''),
      name: type,
      value: BigInt(requests),
    })),
  )
  return stackOf(cells, ats, '')
}

/** Failed requests per million at each place, by cause; a series' total is the share of all requests. */
export function shareStack(
  rows: readonly Counts[],
  places: Places,
  total: Pick<HealthFigures, 'requests' | 'errors'>,
): Stack {
  const counts = countStack(rows, places)
  const requests = new Map<string, number>()
  for (const { group, requests: more } of rows) {
    const at = places.placeOf(group ?? '')
    requests.set(at, (requests.get(at) ?? 0) + more)
  }
  const shareOf = (failed: bigint, of: number): bigint =>
    of === 0 ? 0n : (failed * BigInt(million)) / BigInt(of)
  return {
    series: counts.series.map((series) => ({ ...series, total: shareOf(series.total, total.requests) })),
    rows: counts.rows.map(({ at, values, total: failed }) => {
      const of = requests.get(at) ?? 0
      return { at, values: values.map((value) => shareOf(value, of)), total: shareOf(failed, of) }
    }),
  }
}
