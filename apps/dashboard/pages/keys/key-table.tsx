import { Badge, Code, Group, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { parseUsd } from '../../format/money.ts'
import { clockTimeOf, dateOf, relativeTo, timeOf } from '../../format/time.ts'
import { KeyMenu } from './key-menu.tsx'

type Key = Schemas['Key']

export function KeyTable({ keys }: { keys: Key[] }) {
  return (
    <DataTable label="Keys" minWidth={720} isStacked columns={columns} rows={keys} keyOf={({ id }) => id} />
  )
}

const columns: Column<Key>[] = [
  { head: 'Name', place: 'name', orderBy: ({ name }) => name, cell: (key) => <Name named={key} /> },
  {
    head: 'Credit',
    align: 'right',
    weight: 600,
    place: 'figure',
    orderBy: (key) => parseUsd(key.balance_usd),
    cell: (key) => <Credit held={key} />,
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

function Name({ named }: { named: Key }) {
  const ending = endingOf(named, Date.now())
  return (
    <>
      <Text size="sm" fw={600}>
        {named.name}
      </Text>
      <Group gap={8} mt={2}>
        <Code fz={12}>{named.key_prefix}…</Code>
        {ending !== undefined && (
          <Badge variant="light" color="orange" tt="none" fw={500} radius="sm">
            {ending}
          </Badge>
        )}
      </Group>
    </>
  )
}

/** Of two keys of one name the one that is about to go says so. */
function endingOf(key: Key, nowMs: number): string | undefined {
  const { status, expires_at: end, replaced_by: replacedBy } = key
  if (status === 'revoked') return replacedBy === null ? undefined : 'replaced'
  const isOver = end !== null && end * 1000 <= nowMs
  if (replacedBy !== null)
    return end === null || isOver ? 'replaced' : `replaced, stops at ${clockTimeOf(end, nowMs)}`
  return isOver ? 'has ended' : undefined
}

/** What cannot pay is marked: its requests are refused with 402. */
function Credit({ held: { balance_usd: balance, status, replaced_by: replacedBy } }: { held: Key }) {
  const pico = parseUsd(balance)
  if (status === 'revoked' || replacedBy !== null || pico > 0n) return <Money amount={balance} />
  const isNegative = pico < 0n
  return (
    <>
      <Text span inherit c={isNegative ? 'var(--mantine-color-error)' : 'dimmed'}>
        <Money amount={balance} />
      </Text>
      <Text size="xs" fw={500} className="one-line" c={isNegative ? 'var(--mantine-color-error)' : 'dimmed'}>
        {isNegative ? 'owes: cannot pay' : 'empty: cannot pay'}
      </Text>
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
    limited.expires_at !== null && limited.replaced_by === null && `until ${dateOf(limited.expires_at)}`,
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
