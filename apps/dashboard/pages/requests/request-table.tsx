import { Anchor, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import { Money } from '../../components/money.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { duration, wholeNumber } from '../../format/number.ts'
import { exactTimeOf, shortTimeOf } from '../../format/time.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { Tags } from './tags.tsx'

/** Requests side by side, where there is room for it. */
export function RequestTable({ requests }: { requests: Schemas['Request'][] }) {
  const { data: keys } = useQuery(keysQuery)
  const keyNames = new Map(keys?.data.map(({ id, name }) => [id, name]))
  return (
    <ScrollTable label="Requests" minWidth={980} verticalSpacing="xs" visibleFrom="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time (UTC)</Table.Th>
          <Table.Th>Model</Table.Th>
          <Table.Th>Outcome</Table.Th>
          <Table.Th>Tags</Table.Th>
          <Table.Th ta="right">Tokens in / out</Table.Th>
          <Table.Th ta="right">Took</Table.Th>
          <Table.Th ta="right">Cost</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => (
          <Table.Tr key={request.id}>
            <Table.Td>
              <RequestLink request={request} />
              <Text size="xs" c="dimmed">
                {keyNames.get(request.key_id) ?? request.key_id}
              </Text>
            </Table.Td>
            <Table.Td>
              <ModelName request={request} />
            </Table.Td>
            <Table.Td>
              <OutcomeBadge outcome={request.outcome} />
            </Table.Td>
            <Table.Td>
              <Tags tags={request.tags} atMost={2} />
            </Table.Td>
            <Table.Td ta="right">
              {wholeNumber(request.tokens_in)} / {wholeNumber(request.tokens_out)}
            </Table.Td>
            <Table.Td ta="right">{duration(request.latency_ms)}</Table.Td>
            <Table.Td ta="right" fw={600}>
              <Money amount={request.cost_usd} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

export function RequestLink({ request }: { request: Schemas['Request'] }) {
  return (
    <Anchor
      size="sm"
      fw={500}
      title={exactTimeOf(request.created_at)}
      renderRoot={(props) => <Link to="/requests/$requestId" params={{ requestId: request.id }} {...props} />}
    >
      {shortTimeOf(request.created_at)}
    </Anchor>
  )
}

/** What served; what was asked for stands below where that is something else. */
export function ModelName({ request }: { request: Schemas['Request'] }) {
  const { model_asked: asked, model_served: served, tier } = request
  return (
    <>
      <Text size="sm" truncate>
        {served ?? asked ?? 'no model'}
      </Text>
      {served !== null && asked !== null && !served.endsWith(asked) && (
        <Text size="xs" c="dimmed">
          asked for {asked}
          {tier !== null && `, ${tier}`}
        </Text>
      )}
    </>
  )
}
