import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ApiFailure } from '../../api/api-failure.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconBell } from '../../icons/icons.ts'
import { rulesQuery } from './alert-queries.ts'
import type { AlertView } from './alert-search.ts'
import { Rules } from './rules.tsx'

const route = getRouteApi('/alerts')

type Show = NonNullable<AlertView['show']>

const Recipients = lazyPart(() => import('./recipients.tsx'))
const Deliveries = lazyPart(() => import('./deliveries.tsx'))

const contents: Record<Show, React.ComponentType> = {
  rules: Rules,
  recipients: Recipients,
  deliveries: Deliveries,
}

/** What the account is notified of, where notifications go, and whether they arrived. */
export function AlertsPage() {
  const { show = 'rules' } = route.useSearch()
  const navigate = route.useNavigate()
  const { error } = useQuery(rulesQuery)
  const Content = contents[show]
  return (
    <>
      <PageHeader
        title="Alerts"
        description="Events are sent by email and webhook. Failed deliveries are retried."
      />
      {error instanceof ApiFailure && error.status === 404 ? (
        <Panel>
          <EmptyNote icon={IconBell} title="Alerts are turned off">
            The operator of this gateway has turned off alerts.
          </EmptyNote>
        </Panel>
      ) : (
        <Stack gap="md">
          <Group>
            <SegmentedControl
              aria-label="What of alerts"
              value={show}
              data={[
                { value: 'rules', label: 'Rules' },
                { value: 'recipients', label: 'Recipients' },
                { value: 'deliveries', label: 'Deliveries' },
              ]}
              onChange={(value) =>
                void navigate({ search: { show: value }, replace: true, resetScroll: false })
              }
            />
          </Group>
          <Suspense fallback={<Skeleton height={300} radius="lg" />}>
            <Content />
          </Suspense>
        </Stack>
      )}
    </>
  )
}
