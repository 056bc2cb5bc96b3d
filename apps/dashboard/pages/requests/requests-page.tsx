import { Group, Select, Stack } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { requestsQuery } from '../../api/usage-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Paged } from '../../components/paged.tsx'
import { FilterFields } from '../../filters/filter-fields.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { queryOf } from '../../filters/usage-filters.ts'
import { outcomeNames } from './outcome-names.ts'
import { RequestList } from './request-list.tsx'
import { RequestTable } from './request-table.tsx'
import { outcomes, type Outcome, type RequestsView } from './request-search.ts'

const route = getRouteApi('/requests')
const pageSize = 50

export function RequestsPage() {
  const { outcome, cursor, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(requestsQuery({ ...queryOf(filters), outcome, cursor, limit: pageSize }))
  const view = (changed: RequestsView) => void navigate({ search: changed, replace: true })
  const { days: _days, from: _from, to: _to, ...conditions } = filters
  return (
    <>
      <PageHeader
        title="Requests"
        description="One row each, the newest first. What was asked and answered is not kept."
      />
      <Stack gap="lg">
        <Stack gap="sm">
          <Group gap="sm">
            <RangeFilter range={filters} onChange={(range) => view({ ...conditions, ...range, outcome })} />
            <OutcomeSelect value={outcome} onChange={(value) => view({ ...filters, outcome: value })} />
          </Group>
          <FilterFields filters={filters} onChange={(changed) => view({ ...changed, outcome })} />
        </Stack>
        <Paged
          query={query}
          cursor={cursor}
          onGo={(to) => void navigate({ search: (before) => ({ ...before, cursor: to }) })}
          empty={
            <EmptyNote icon={IconListDetails} title="No requests">
              None in this range fits the filters.
            </EmptyNote>
          }
          skeletonHeight={520}
        >
          {(requests) => (
            <>
              <RequestTable requests={requests} />
              <RequestList requests={requests} />
            </>
          )}
        </Paged>
      </Stack>
    </>
  )
}

interface OutcomeSelectProps {
  value: Outcome | undefined
  onChange: (value: Outcome | undefined) => void
}

function OutcomeSelect({ value, onChange }: OutcomeSelectProps) {
  return (
    <Select
      aria-label="Outcome"
      placeholder="Outcome"
      clearable
      w={190}
      data={outcomes.map((one) => ({ value: one, label: outcomeNames[one] }))}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
