import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyNote } from '../../components/empty-note.tsx'
import { IconChartBar } from '../../icons/icons.ts'
import { viewQueries } from './view-queries.ts'

const route = getRouteApi('/usage')

/** Replaces the chart. For old days, only sums by day exist. */
export default function NothingToDraw() {
  const { data: summary } = useQuery(viewQueries(route.useSearch()).summary)
  return summary !== undefined && summary.total_requests > 0 ? (
    <EmptyNote icon={IconChartBar} title="Hourly data for this day is no longer available">
      Figures for the whole day are below.
    </EmptyNote>
  ) : (
    <EmptyNote icon={IconChartBar} title="No requests in this range">
      Choose a longer range or remove a filter.
    </EmptyNote>
  )
}
