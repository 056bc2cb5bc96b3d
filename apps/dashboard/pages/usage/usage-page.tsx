import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { FilterFields } from '../../filters/filter-fields.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import type { UsageFilters } from '../../filters/usage-filters.ts'
import { Breakdown } from './breakdown/breakdown.tsx'
import { ExportButton } from './export-button.tsx'
import { OverTime } from './over-time.tsx'
import { UsageFigures } from './usage-figures.tsx'

const route = getRouteApi('/usage')

/** Usage with filters, over time, and broken down by any dimension. */
export function UsagePage() {
  const view = route.useSearch()
  const { by, against, measure, sum, ...filters } = view
  const navigate = route.useNavigate()
  const filter = (changed: UsageFilters) =>
    void navigate({ search: { by, against, measure, sum, ...changed }, replace: true })
  const { days: _days, from: _from, to: _to, ...conditions } = filters
  return (
    <>
      <PageHeader
        title="Usage"
        description="Days are in UTC. Failed requests are only counted if you select that outcome."
      >
        <ExportButton />
      </PageHeader>
      <Stack gap="lg">
        <Stack gap="sm">
          <RangeFilter range={filters} onChange={(range) => filter({ ...conditions, ...range })} />
          <FilterFields filters={filters} onChange={filter} />
        </Stack>
        <UsageFigures view={view} />
        <OverTime />
        <Breakdown />
      </Stack>
    </>
  )
}
