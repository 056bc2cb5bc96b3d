import { Badge, Code, Group, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { dateOf, relativeTo, timeOf } from '../../format/time.ts'
import { KeyMenu } from './key-menu.tsx'

type Key = Schemas['Key']

export function KeyTable({ keys }: { keys: Key[] }) {
  return (
    <DataTable label="Keys" minWidth={720} isStacked columns={columns} rows={keys} keyOf={({ id }) => id} />
  )
}

const columns: Column<Key>[] = [
  { head: 'Name', place: 'name', cell: (key) => <Name named={key} /> },
  {
    head: 'Credit',
    align: 'right',
    weight: 600,
    place: 'figure',
    cell: (key) => <Money amount={key.balance_usd} />,
  },
  { head: 'Limits', cell: (key) => <Limits limited={key} /> },
  { head: 'Last used', cell: (key) => <LastUsed seconds={key.last_used_at} /> },
  {
    head: 'Made',
    cell: (key) => (
      <Text size="sm" c="dimmed" title={timeOf(key.created_at)}>
        {dateOf(key.created_at)}
      </Text>
    ),
  },
  {
    head: 'Actions',
    isHeadHidden: true,
    width: 56,
    place: 'action',
    cell: (key) => key.status === 'active' && <KeyMenu owner={key} />,
  },
]

function Name({ named: { name, key_prefix: prefix } }: { named: Key }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Code fz={12}>{prefix}…</Code>
    </>
  )
}

function LastUsed({ seconds }: { seconds: number | null }) {
  return (
    <Text size="sm" c="dimmed" title={seconds === null ? undefined : timeOf(seconds)}>
      {seconds === null ? 'never' : relativeTo(seconds, Date.now())}
    </Text>
  )
}

/** What a key may not do, in a few words each. */
function Limits({ limited }: { limited: Key }) {
  const words = [
    limited.spend_limit_usd !== null && (
      <>
        <Money amount={limited.spend_limit_usd} />
        {limited.spend_limit_period === 'total' ? ' in all' : ` a ${limited.spend_limit_period}`}
      </>
    ),
    limited.allowed_models !== null &&
      (limited.allowed_models.length === 1
        ? limited.allowed_models[0]
        : `${limited.allowed_models.length} models`),
    limited.expires_at !== null && `until ${dateOf(limited.expires_at)}`,
  ].filter((one) => one !== false)
  if (words.length === 0)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <Group gap={6}>
      {words.map((word, index) => (
        <Badge key={index} variant="light" color="gray" tt="none" fw={500} radius="sm">
          {word}
        </Badge>
      ))}
    </Group>
  )
}
