import { useQuery } from '@tanstack/react-query'
import { breakdownQuery, mostGroups, nameOf, type Dimension } from '../api/usage-queries.ts'
import { queryOf, type UsageFilters } from './usage-filters.ts'

/** What there was in the range, the costliest first. Asked for when wanted: what a page shows comes first. */
export function useFound(
  by: Dimension,
  { days, from, to }: UsageFilters,
  isWanted: boolean,
): string[] | undefined {
  const query = breakdownQuery({ ...queryOf({ days, from, to }), limit: mostGroups, by: [by] })
  const { data } = useQuery({ ...query, enabled: isWanted, refetchInterval: false })
  return data?.data.flatMap((group) => nameOf(group) ?? [])
}
