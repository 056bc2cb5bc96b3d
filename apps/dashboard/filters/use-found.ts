import { useQuery } from '@tanstack/react-query'
import { breakdownQuery, mostGroups, nameOf, type Dimension } from '../api/usage-queries.ts'
import { queryOf, type UsageFilters } from './usage-filters.ts'

/**
 * The values that occur in the range, the costliest first. Requested on demand, so that the page's own data
 * comes first.
 */
export function useFound(
  by: Dimension,
  { days, from, to }: UsageFilters,
  isEnabled: boolean,
): string[] | undefined {
  const query = breakdownQuery({ ...queryOf({ days, from, to }), limit: mostGroups, by: [by] })
  const { data } = useQuery({ ...query, enabled: isEnabled, refetchInterval: false })
  return data?.data.flatMap((group) => nameOf(group) ?? [])
}
