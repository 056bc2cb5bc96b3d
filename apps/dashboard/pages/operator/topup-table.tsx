import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { timeOf } from '../../format/time.ts'

type Topup = Schemas['Topup']

const colors: Record<Topup['status'], string> = {
  open: 'blue',
  paid: 'teal',
  expired: 'gray',
  refunded: 'orange',
}

export function TopupTable({ topups }: { topups: Topup[] }) {
  return (
    <DataTable
      label="Top-ups"
      minWidth={560}
      verticalSpacing="xs"
      columns={columns}
      rows={topups}
      keyOf={({ session_id: id }) => id}
    />
  )
}

const columns: Column<Topup>[] = [
  { head: 'Opened', place: 'name', cell: ({ created_at: at }) => <Text size="sm">{timeOf(at)}</Text> },
  {
    head: 'State',
    cell: ({ status }) => <StateBadge color={colors[status]}>{status}</StateBadge>,
  },
  {
    head: 'Session',
    place: 'words',
    cell: ({ session_id: id }) => (
      <Text size="xs" c="dimmed" ff="monospace">
        {id}
      </Text>
    ),
  },
  {
    head: 'Amount',
    align: 'right',
    weight: 600,
    place: 'figure',
    cell: ({ amount_usd: amount }) => <Money amount={amount} />,
  },
]
