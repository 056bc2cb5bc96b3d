import { Badge, Skeleton, Table, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { duration, wholeNumber } from '../../format/number.ts'
import { relativeTo, timeOf } from '../../format/time.ts'

type Upstream = Schemas['Upstream']

const refetchMs = 5_000

const upstreamsQuery = queryOptions({
  queryKey: ['operator', 'upstreams'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/admin/upstreams', { signal })),
  refetchInterval: refetchMs,
})

/** Who is asked, how it goes, and who is left in peace for a while. */
export function Upstreams() {
  const query = useQuery(upstreamsQuery)
  return (
    <Panel p={0}>
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconPlugConnected} title="No upstream was asked yet">
              Those that are, on this node, stand here with their health.
            </EmptyNote>
          ) : (
            <UpstreamTable upstreams={data} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const colors: Record<Upstream['state'], string> = { working: 'teal', probing: 'blue', resting: 'red' }

function UpstreamTable({ upstreams }: { upstreams: Upstream[] }) {
  return (
    <ScrollTable label="Upstreams" minWidth={760} verticalSpacing="xs" isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Upstream</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Answers</Table.Th>
          <Table.Th ta="right">Failures</Table.Th>
          <Table.Th ta="right">First token</Table.Th>
          <Table.Th>Last failure</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {upstreams.map((upstream) => (
          <Table.Tr key={`${upstream.provider} ${upstream.model} ${upstream.key}`}>
            <Table.Td data-place="name">
              <Text size="sm" fw={500}>
                {upstream.provider}/{upstream.model}
              </Text>
              {upstream.key !== null && (
                <Text size="xs" c="dimmed">
                  key {upstream.key}
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label="State">
              <State upstream={upstream} />
            </Table.Td>
            <Table.Td ta="right" data-label="Answers">
              {wholeNumber(upstream.answers)}
            </Table.Td>
            <Table.Td ta="right" data-label="Failures">
              {wholeNumber(upstream.failures)}
            </Table.Td>
            <Table.Td ta="right" data-label="First token">
              {upstream.first_token_ms === null ? '–' : duration(upstream.first_token_ms)}
            </Table.Td>
            <Table.Td data-label="Last failure">
              <LastFailure failure={upstream.last_failure} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

function State({ upstream: { state, rests_for_seconds: seconds, reason } }: { upstream: Upstream }) {
  return (
    <>
      <Badge variant="dot" color={colors[state]} tt="none" fw={500} radius="sm">
        {state}
        {seconds > 0 && ` for ${duration(seconds * 1000)}`}
      </Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {reason}
        </Text>
      )}
    </>
  )
}

function LastFailure({ failure }: { failure: Upstream['last_failure'] }) {
  if (failure === null)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <Text size="sm" title={timeOf(failure.at)}>
      {failure.result}
      <Text span size="sm" c="dimmed">
        , {relativeTo(failure.at, Date.now())}
      </Text>
    </Text>
  )
}
