import { Badge, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { memberName, useMembers, useProjects } from '../../api/team.ts'
import { creditOf, drawersOf, payerOf } from '../../api/payers.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { AgoText, DateText } from '../../components/tables/time-text.tsx'
import { exactUsd } from '../../format/money.ts'
import { countOf } from '../../format/number.ts'
import { clockTimeOf, dateOf } from '../../format/time.ts'
import { KeyMenu } from './key-menu.tsx'

type Key = Schemas['Key']

/** @param all all keys of the account: keys on screen may draw on keys that are not */
export function KeyTable({ keys, all }: { keys: Key[]; all: Key[] }) {
  const forWhat = useForWhat()
  const columns = columnsOf(all, forWhat)
  return <DataTable label="Keys" minWidth={720} columns={columns} rows={keys} keyOf={({ id }) => id} />
}

/** The member and project of a key, in a few words; undefined if it has neither. */
type ForWhat = (key: Key) => string | undefined

function useForWhat(): ForWhat {
  const members = useMembers()
  const projects = useProjects()
  return ({ member_id: memberId, project_id: projectId }) => {
    const member = members.find(({ id }) => id === memberId)
    const words = [projects.find(({ id }) => id === projectId)?.name, member && memberName(member)]
    return words.filter((one) => one !== undefined).join(' · ') || undefined
  }
}

const columnsOf = (all: readonly Key[], forWhat: ForWhat): Column<Key>[] => [
  {
    head: 'Name',
    place: 'name',
    orderBy: ({ name }) => name,
    cell: (key) => <Name named={key} forWhat={forWhat(key)} />,
  },
  {
    head: 'Credit',
    align: 'right',
    weight: 600,
    place: 'figure',
    orderBy: (key) => creditOf(key, all),
    cell: (key) => <Credit held={key} all={all} />,
  },
  { head: 'Limits', cell: (key) => <Limits limited={key} /> },
  { head: 'Last used', cell: (key) => <AgoText at={key.last_used_at} /> },
  { head: 'Made', cell: (key) => <DateText at={key.created_at} /> },
  {
    head: 'Actions',
    width: 56,
    place: 'action',
    cell: (key) => key.status === 'active' && <KeyMenu owner={key} />,
  },
]

function Name({ named, forWhat }: { named: Key; forWhat: string | undefined }) {
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
        {named.handed_over && ending === undefined && (
          <span title="The previous owner may know this key. Rotate it to prevent that.">
            <StateBadge color="orange">handed over</StateBadge>
          </span>
        )}
      </Group>
      {forWhat !== undefined && (
        <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {forWhat}
        </Text>
      )}
    </>
  )
}

/** Of two keys with the same name, the one that expires soon says so. */
function endingOf(key: Key, nowMs: number): string | undefined {
  const { status, expires_at: end, replaced_by: replacedBy } = key
  if (status === 'revoked') return replacedBy === null ? undefined : 'replaced'
  const isOver = end !== null && end * 1000 <= nowMs
  if (replacedBy !== null)
    return end === null || isOver ? 'replaced' : `rotated, stops at ${clockTimeOf(end, nowMs)}`
  return isOver ? 'expired' : undefined
}

/**
 * The key's own credit, or whose credit it uses. A key without credit is marked: its requests are refused
 * with 402.
 */
function Credit({ held, all }: { held: Key; all: readonly Key[] }) {
  const { balance_usd: balance, status, replaced_by: replacedBy } = held
  const payer = payerOf(held, all)
  const pico = creditOf(held, all)
  const isInUse = status === 'active' && replacedBy === null
  const cannotPay = isInUse && pico <= 0n
  const color = pico < 0n ? 'var(--mantine-color-error)' : 'dimmed'
  if (payer !== held)
    return (
      <div>
        <Text size="sm" c="dimmed" title={payer && `${payer.name} has ${exactUsd(payer.balance_usd)}`}>
          credit of {payer?.name ?? 'another key'}
        </Text>
        {cannotPay && (
          <Note color={color}>{pico < 0n ? 'negative balance: cannot pay' : 'no credit: cannot pay'}</Note>
        )}
      </div>
    )
  const drawers = drawersOf(held, all)
  // One element, so that its lines stay below each other in a stacked row.
  return (
    <div>
      <Text span inherit {...(cannotPay && { c: color })}>
        <Money amount={balance} />
      </Text>
      {drawers.length > 0 && <Note>also for {countOf(drawers.length, 'other key')}</Note>}
      {cannotPay && (
        <Note color={color}>{pico < 0n ? 'negative balance: cannot pay' : 'no credit: cannot pay'}</Note>
      )}
    </div>
  )
}

function Note({ color = 'dimmed', children }: { color?: string; children: ReactNode }) {
  return (
    <Text size="xs" fw={500} className="one-line" c={color}>
      {children}
    </Text>
  )
}

/** The restrictions of a key, in a few words each. */
function Limits({ limited }: { limited: Key }) {
  const words = [
    limited.spend_limit_usd !== null && (
      <>
        <Money amount={limited.spend_limit_usd} />
        {limited.spend_limit_period === 'total' ? ' in total' : ` a ${limited.spend_limit_period}`}
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
