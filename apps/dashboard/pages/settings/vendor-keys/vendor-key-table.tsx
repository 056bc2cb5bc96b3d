import { Code, Menu, Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { RowMenu } from '../../../components/tables/row-menu.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { AgoText } from '../../../components/tables/time-text.tsx'
import { relativeTo, timeOf } from '../../../format/time.ts'
import { IconAdjustments, IconRefresh, IconTrash } from '../../../icons/icons.ts'
import type { VendorKey } from './vendor-key-queries.ts'

export type VendorKeyAction = 'change' | 'replace' | 'delete'
type Providers = Schemas['VendorKeyProviders']['data']
type Open = (action: VendorKeyAction, vendorKey: VendorKey) => void

interface VendorKeyTableProps {
  vendorKeys: VendorKey[]
  providers: Providers
  onOpen: Open
}

export function VendorKeyTable({ vendorKeys, providers, onOpen }: VendorKeyTableProps) {
  return (
    <DataTable
      label="Vendor keys"
      minWidth={700}
      columns={columnsOf(providers, onOpen)}
      rows={vendorKeys}
      keyOf={({ id }) => id}
    />
  )
}

const columnsOf = (providers: Providers, onOpen: Open): Column<VendorKey>[] => [
  {
    head: 'Key',
    place: 'name',
    orderBy: ({ provider, name }) => `${provider} ${name}`,
    cell: ({ provider, name, last4 }) => (
      <div style={{ minWidth: 0, maxWidth: 300 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {providers.find((one) => one.name === provider)?.title ?? provider}
        </Text>
        <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
          {name} · <Code fz="xs">…{last4}</Code>
        </Text>
      </div>
    ),
  },
  { head: 'State', cell: (vendorKey) => <State vendorKey={vendorKey} /> },
  {
    head: 'Fallbacks',
    cell: ({ allow_fallback_to_shared: allowed }) => (
      <Text size="sm" component="span">
        {allowed ? 'uses credit' : 'no fallback'}
      </Text>
    ),
  },
  { head: 'Last used', cell: ({ last_used_at: at }) => <AgoText at={at} /> },
  {
    head: 'Actions',
    width: 56,
    place: 'action',
    cell: (vendorKey) => <VendorKeyMenu vendorKey={vendorKey} onOpen={onOpen} />,
  },
]

function State({ vendorKey: { status, refused_at: refusedAt } }: { vendorKey: VendorKey }) {
  if (status === 'disabled')
    return (
      <StateBadge color="gray" isBare>
        disabled
      </StateBadge>
    )
  if (refusedAt === null)
    return (
      <StateBadge color="teal" isBare>
        in use
      </StateBadge>
    )
  return (
    <div title={timeOf(refusedAt)}>
      <StateBadge color="red" isBare>
        refused
      </StateBadge>
      <Text size="xs" c="dimmed">
        {relativeTo(refusedAt, Date.now())}
      </Text>
    </div>
  )
}

function VendorKeyMenu({ vendorKey, onOpen }: { vendorKey: VendorKey; onOpen: Open }) {
  return (
    <RowMenu of={`${vendorKey.provider} ${vendorKey.name}`} width={180}>
      <Menu.Item leftSection={<IconAdjustments size={16} />} onClick={() => onOpen('change', vendorKey)}>
        Change
      </Menu.Item>
      <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onOpen('replace', vendorKey)}>
        Replace key
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => onOpen('delete', vendorKey)}
      >
        Remove
      </Menu.Item>
    </RowMenu>
  )
}
