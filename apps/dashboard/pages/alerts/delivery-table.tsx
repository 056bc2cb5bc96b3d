import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { AgoText } from '../../components/tables/time-text.tsx'
import { timeOf } from '../../format/time.ts'
import type { Delivery } from './alert-queries.ts'
import { deliveryColors } from './delivery-log.tsx'

interface DeliveryTableProps {
  deliveries: Delivery[]
  nameOf: (targetId: string) => string
  /** The event's name, linked to its attempts. */
  linkOf: (delivery: Delivery) => ReactNode
}

/** What was sent to whom, and whether it arrived. */
export function DeliveryTable({ deliveries, nameOf, linkOf }: DeliveryTableProps) {
  return (
    <DataTable
      label="Deliveries"
      minWidth={640}
      columns={columnsOf(nameOf, linkOf)}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  )
}

function columnsOf(
  nameOf: DeliveryTableProps['nameOf'],
  linkOf: DeliveryTableProps['linkOf'],
): Column<Delivery>[] {
  return [
    { head: 'Event', place: 'name', cell: linkOf },
    {
      head: 'Recipient',
      cell: ({ target_id: target }) => (
        <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
          {nameOf(target)}
        </Text>
      ),
    },
    {
      head: 'State',
      cell: ({ status }) => <StateBadge color={deliveryColors[status]}>{status}</StateBadge>,
    },
    {
      head: 'Attempts',
      align: 'right',
      cell: ({ attempts, next_attempt_at: next }) => (
        <span title={next === null ? undefined : `next attempt ${timeOf(next)}`}>{attempts}</span>
      ),
    },
    { head: 'When', cell: ({ created_at: at }) => <AgoText at={at} /> },
  ]
}
