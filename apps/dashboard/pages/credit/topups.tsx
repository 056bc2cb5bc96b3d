import { Anchor, Badge, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { Paged } from '../../components/paged.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { parseUsd } from '../../format/money.ts'
import { timeOf } from '../../format/time.ts'
import { ReceiptLink } from './receipt-link.tsx'

const route = getRouteApi('/credit')

export function Topups() {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['topups', cursor],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/topups', { params: { query: { cursor } }, signal })),
  })
  return (
    <Paged
      query={query}
      cursor={cursor}
      onGo={(to) => void navigate({ search: (before) => ({ ...before, cursor: to }) })}
      empty={
        <EmptyNote icon={IconReceipt} title="No top-ups yet">
          What you buy is listed here.
        </EmptyNote>
      }
      skeletonHeight={220}
    >
      {(topups) => <TopupTable topups={topups} />}
    </Paged>
  )
}

const colors = { open: 'blue', paid: 'teal', expired: 'gray', refunded: 'orange' }

function TopupTable({ topups }: { topups: Schemas['Topup'][] }) {
  return (
    <ScrollTable label="Top-ups" minWidth={560} isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Asked for</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
          <Table.Th ta="right">Paid</Table.Th>
          <Table.Th>
            <VisuallyHidden>Checkout or receipt</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {topups.map((topup) => (
          <Table.Tr key={topup.session_id}>
            <Table.Td data-place="name">
              <Text size="sm">{timeOf(topup.created_at)}</Text>
              <Text size="xs" c="dimmed" ff="monospace">
                {topup.session_id}
              </Text>
            </Table.Td>
            <Table.Td data-label="State">
              <Badge variant="dot" color={colors[topup.status]} tt="none" fw={500} radius="sm">
                {topup.status}
                {topup.sandbox && ' (sandbox)'}
              </Badge>
            </Table.Td>
            <Table.Td ta="right" data-label="Amount">
              <Money amount={topup.amount_usd} exact />
            </Table.Td>
            <Table.Td ta="right" fw={600} data-label="Paid">
              <Money amount={topup.paid_usd} exact />
              <Returned topup={topup} />
            </Table.Td>
            <Table.Td ta="right">
              {topup.paid_at !== null && <ReceiptLink sessionId={topup.session_id} />}
              {topup.checkout_url !== null && (
                <Anchor size="sm" href={topup.checkout_url} target="_blank" rel="noopener">
                  Checkout
                </Anchor>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

function Returned({ topup }: { topup: Schemas['Topup'] }) {
  const back = parseUsd(topup.refunded_usd) + parseUsd(topup.disputed_usd)
  if (back === 0n) return null
  return (
    <Text size="xs" c="dimmed">
      <Money amount={back} exact /> went back
    </Text>
  )
}
