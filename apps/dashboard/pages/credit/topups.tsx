import { Anchor, Text } from '@mantine/core'
import { IconReceipt } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { parseUsd } from '../../format/money.ts'
import { timeOf } from '../../format/time.ts'
import { ReceiptLink } from './receipt-link.tsx'

type Topup = Schemas['Topup']

const route = getRouteApi('/credit')

export function Topups() {
  const { cursor } = route.useSearch()
  const query = useQuery(readQuery(['topups', cursor], '/api/v1/topups', { query: { cursor } }))
  return (
    <Paged
      query={query}
      cursor={cursor}
      empty={
        <EmptyNote icon={IconReceipt} title="No top-ups yet">
          Your top-ups will be listed here.
        </EmptyNote>
      }
      skeletonHeight={220}
    >
      {(topups) => (
        <DataTable
          label="Top-ups"
          minWidth={560}
          columns={columns}
          rows={topups}
          keyOf={(topup) => topup.session_id}
        />
      )}
    </Paged>
  )
}

const colors = { open: 'blue', paid: 'teal', expired: 'gray', refunded: 'orange' }

const columns: Column<Topup>[] = [
  {
    head: 'Requested',
    place: 'name',
    cell: (topup) => (
      <>
        <Text size="sm">
          {timeOf(topup.created_at)}
          {topup.origin === 'auto' && ', automatic'}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {topup.session_id}
        </Text>
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ status, sandbox }) => (
      <StateBadge color={colors[status]}>
        {status}
        {sandbox && ' (sandbox)'}
      </StateBadge>
    ),
  },
  { head: 'Amount', align: 'right', cell: (topup) => <Money amount={topup.amount_usd} exact /> },
  {
    head: 'Paid',
    align: 'right',
    weight: 600,
    cell: (topup) => (
      <>
        <Money amount={topup.paid_usd} exact />
        <Returned topup={topup} />
      </>
    ),
  },
  {
    head: 'Checkout or receipt',
    isHeadHidden: true,
    align: 'right',
    place: 'words',
    cell: (topup) => (
      <>
        {topup.paid_at !== null && <ReceiptLink sessionId={topup.session_id} />}
        {topup.checkout_url !== null && (
          <Anchor size="sm" href={topup.checkout_url} target="_blank" rel="noopener">
            Checkout
          </Anchor>
        )}
      </>
    ),
  },
]

function Returned({ topup }: { topup: Topup }) {
  const back = parseUsd(topup.refunded_usd) + parseUsd(topup.disputed_usd)
  if (back === 0n) return null
  return (
    <Text size="xs" c="dimmed">
      <Money amount={back} exact /> was refunded or disputed
    </Text>
  )
}
