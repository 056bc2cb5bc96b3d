import { Anchor, Skeleton, Table, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { requestsQuery } from '../../api/usage-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { relativeTo, timeOf } from '../../format/time.ts'
import { homeDays } from './home-days.ts'

const shown = 5

export function RecentFailures() {
  const query = useQuery(requestsQuery({ days: homeDays, outcome: 'failed', limit: shown }))
  return (
    <Panel
      title="Failed requests"
      description="They cost nothing."
      actions={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/requests" search={{ days: homeDays, outcome: 'failed' }} {...props} />
          )}
        >
          All
        </Anchor>
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
    <ScrollTable label="Failed requests" minWidth={520} horizontalSpacing="xs" verticalSpacing="xs">
      <Table.Tbody>
        {requests.map((request) => (
          <Table.Tr key={request.id}>
            <Table.Td>
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => (
                  <Link to="/requests/$requestId" params={{ requestId: request.id }} {...props} />
                )}
              >
                {request.model_asked ?? 'no model'}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Text size="sm">
                {request.status} {request.error_type}
              </Text>
            </Table.Td>
            <Table.Td ta="right">
              <Text size="sm" c="dimmed" title={timeOf(request.created_at)}>
                {relativeTo(request.created_at, nowMs)}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
