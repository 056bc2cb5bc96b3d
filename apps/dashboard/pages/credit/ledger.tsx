import { Table, Text } from '@mantine/core'
import { IconListNumbers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Paged } from '../../components/paged.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { exactUsd } from '../../format/money.ts'
import { exactTimeOf } from '../../format/time.ts'
import { kindNames, movementOf } from './movements.ts'

const route = getRouteApi('/credit')

/** Every movement of credit: append-only, the newest first. */
export function Ledger({ keys }: { keys: Schemas['Key'][] }) {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['ledger', cursor],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/ledger', { params: { query: { cursor } }, signal })),
  })
  return (
    <Paged
      query={query}
      cursor={cursor}
      onGo={(to) => void navigate({ search: (before) => ({ ...before, cursor: to }) })}
      empty={<EmptyNote icon={IconListNumbers} title="No credit has moved yet" />}
      skeletonHeight={320}
    >
      {(entries) => <Entries entries={entries} keys={keys} />}
    </Paged>
  )
}

function Entries({ entries, keys }: { entries: Schemas['LedgerEntry'][]; keys: Schemas['Key'][] }) {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return (
    <ScrollTable label="Movements of credit" minWidth={640} verticalSpacing="xs" isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>What</Table.Th>
          <Table.Th>From and to</Table.Th>
          <Table.Th ta="right">Change</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td>
              <Text size="sm">{exactTimeOf(entry.created_at)}</Text>
            </Table.Td>
            <Table.Td data-place="name">
              <Text size="sm" fw={500}>
                {kindNames[entry.kind]}
              </Text>
              {entry.reason !== null && (
                <Text size="xs" c="dimmed">
                  {entry.reason}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Text size="sm" c="dimmed">
                {movementOf(entry, names)}
              </Text>
            </Table.Td>
            <Table.Td ta="right" fw={600} data-place="figure">
              {exactUsd(entry.change_usd === '0' ? entry.amount_usd : entry.change_usd)}
              {entry.change_usd === '0' && (
                <Text size="xs" c="dimmed">
                  stays on the account
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
