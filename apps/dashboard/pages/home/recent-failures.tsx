import { Skeleton, Text } from '@mantine/core'
import { IconCircleCheck } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { relativeTo, timeOf } from '../../format/time.ts'
import { homeDays } from './home-days.ts'
import { homeQueries } from './home-queries.ts'
import classes from './recent-failures.module.css'

export function RecentFailures() {
  const query = useQuery(homeQueries.failures)
  return (
    <Panel
      title="Failed requests"
      description="They cost nothing."
      actions={
        <PageLink to="/requests" search={{ days: homeDays, outcome: 'failed' }}>
          All
        </PageLink>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={200} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconCircleCheck} title={`None in ${homeDays} days`} />
          ) : (
            <Failures requests={data} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Failures({ requests }: { requests: Schemas['Request'][] }) {
  const nowMs = Date.now()
  return (
    <ul className={classes.failures}>
      {requests.map((request) => (
        <li key={request.id} className={classes.failure}>
          <PageLink
            to="/requests/$requestId"
            params={{ requestId: request.id }}
            fw={500}
            className={classes.model}
          >
            {request.model_asked ?? 'no model'}
          </PageLink>
          <Text size="sm" className={classes.error}>
            {request.status} {request.error_type}
          </Text>
          <Text size="sm" c="dimmed" className={classes.when} title={timeOf(request.created_at)}>
            {relativeTo(request.created_at, nowMs)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
