import { Button, Group, Stack } from '@mantine/core'
import { IconListDetails } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/permissions.ts'
import { requestsQuery } from '../../api/usage-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { lazyForm } from '../../components/forms/lazy-form.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { FilterFields } from '../../filters/filter-fields.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { queryOf } from '../../filters/usage-filters.ts'
import { RequestList } from './request-list.tsx'
import { RequestTable } from './request-table.tsx'
import { FindRequest } from './find-request.tsx'
import type { RequestsView } from './request-search.ts'

/** Rarely opened, so its code is loaded on demand. */
const PromptLogForm = lazyForm(() => import('./log/prompt-log-form.tsx'), 320)

const route = getRouteApi('/requests')
const pageSize = 50

export function RequestsPage() {
  const { cursor, action, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(requestsQuery({ ...queryOf(filters), cursor, limit: pageSize }))
  const view = (changed: RequestsView) => void navigate({ search: changed, replace: true })
  const open = (dialog: RequestsView['action']) =>
    void navigate({ search: { ...filters, ...(cursor && { cursor }), ...(dialog && { action: dialog }) } })
  const { days: _days, from: _from, to: _to, ...conditions } = filters
  const may = useMay()
  return (
    <>
      <PageHeader title="Requests" description="Newest first.">
        <Group gap="sm">
          {may('settings') && (
            <Button variant="default" onClick={() => open('log')}>
              Prompt log
            </Button>
          )}
          <FindRequest />
        </Group>
      </PageHeader>
      <Stack gap="lg">
        <Stack gap="sm">
          <RangeFilter range={filters} onChange={(range) => view({ ...conditions, ...range })} />
          <FilterFields filters={filters} onChange={view} />
        </Stack>
        <Paged
          query={query}
          cursor={cursor}
          empty={
            <EmptyNote icon={IconListDetails} title="No requests">
              Try other filters or a longer range.
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
      <FormDialog opened={action === 'log'} onClose={() => open(undefined)} title="Prompt log" size="lg">
        <PromptLogForm onDone={() => open(undefined)} />
      </FormDialog>
    </>
  )
}
