import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconListDetails } from '../../icons/icons.ts'
import { RequestList } from '../requests/request-list.tsx'
import { RequestTable } from '../requests/request-table.tsx'
import { projectUsage } from './project-queries.ts'

const route = getRouteApi('/projects/$projectId')

/** The project's latest requests, including failed ones. */
export function ProjectRequests({ project: { id } }: { project: Schemas['Project'] }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const query = useQuery(projectUsage(id, range).requests)
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Latest requests"
      actions={
        <PageButton to="/requests" search={{ ...range, project: id }} variant="default" size="xs">
          View all
        </PageButton>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={320} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconListDetails} title="No requests in this range" />
          ) : (
            <>
              <RequestTable requests={data} />
              <RequestList requests={data} />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
