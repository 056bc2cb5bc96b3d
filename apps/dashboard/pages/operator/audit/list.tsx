import { Code, Group, Stack, Text } from '@mantine/core'
import { IconListDetails } from '../../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { Paged } from '../../../components/tables/paged.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { timesOf, type Range } from '../../../filters/usage-filters.ts'
import { exactTimeOf } from '../../../format/time.ts'
import { actionName } from './actions.ts'
import type { AuditView } from '../operator-search.ts'
import { Person } from '../person.tsx'

type Entry = Schemas['AuditEntry']

interface AuditListProps {
  view: AuditView
  range: Range
  cursor: string | undefined
}

/** One page of the audit log. */
export function AuditList({ view: { actor, who, did, result, about }, range, cursor }: AuditListProps) {
  const parameters = {
    cursor,
    ...timesOf(range, Date.now()),
    ...(actor && { actor }),
    ...(who && { who }),
    ...(did && { action: did }),
    ...(about && { account_id: about }),
    ...(result && { refused: result === 'refused' }),
  }
  const query = useQuery(
    readQuery(['operator', 'audit', parameters], '/api/v1/admin/audit', { query: parameters }),
  )
  return (
    <Paged
      query={query}
      cursor={cursor}
      empty={
        <EmptyNote icon={IconListDetails} title="No actions">
          Try other filters or a longer range.
        </EmptyNote>
      }
      skeletonHeight={420}
    >
      {(entries) => (
        <DataTable
          label="Audit log"
          minWidth={860}
          verticalSpacing="xs"
          columns={columns}
          rows={entries}
          keyOf={({ request_id: id }) => id}
        />
      )}
    </Paged>
  )
}

const columns: Column<Entry>[] = [
  {
    head: 'Time',
    place: 'words',
    cell: ({ created_at: at }) => (
      <Text size="sm" className="one-line">
        {exactTimeOf(at)}
      </Text>
    ),
  },
  { head: 'What', place: 'name', cell: (entry) => <What entry={entry} /> },
  { head: 'Who', cell: (entry) => <Who entry={entry} /> },
  { head: 'About', cell: (entry) => <About entry={entry} /> },
  { head: 'Details', place: 'words', cell: ({ details }) => <Details details={details} /> },
]

function What({ entry: { action, status, request_id: id } }: { entry: Entry }) {
  return (
    <>
      <Text size="sm" fw={600} title={`${action}, ${id}`} className="one-line">
        {actionName(action)}
      </Text>
      <StateBadge color={status < 400 ? 'teal' : 'orange'}>
        {status < 400 ? 'done' : 'refused'}, {status}
      </StateBadge>
    </>
  )
}

function Who({ entry: { actor, by, subject, address } }: { entry: Entry }) {
  return (
    <div>
      {by !== null && (
        <Person id={by.account_id} name={by.display_name} email={by.email} isVerified={by.email_verified} />
      )}
      {by === null && (
        <Text size="sm">{subject === null ? 'Internal secret' : <ForeignText text={subject} />}</Text>
      )}
      <Text size="xs" c="dimmed">
        {actor}, from <bdi>{address}</bdi>
      </Text>
    </div>
  )
}

function About({ entry: { account, account_id: id, target } }: { entry: Entry }) {
  const isItself = target === null || target === id
  return (
    <div>
      {account !== null && (
        <Person
          id={account.account_id}
          name={account.display_name}
          email={account.email}
          isVerified={account.email_verified}
        />
      )}
      {!isItself && (
        <Text size="xs" c="dimmed" ff="monospace" maw={260} component="div">
          <ForeignText text={target} />
        </Text>
      )}
      {account === null && isItself && (
        <Text size="sm" c="dimmed">
          {id ?? 'the gateway'}
        </Text>
      )}
    </div>
  )
}

/** The changed fields, as they were sent. */
function Details({ details }: { details: Entry['details'] }) {
  const named = Object.entries(details ?? {})
  if (named.length === 0) return null
  return (
    <Stack gap={2} maw={340} miw={180}>
      {named.map(([name, value]) => (
        <Group key={name} gap={6} wrap="nowrap" align="flex-start" fz={12}>
          <Code fz={11} flex="0 0 auto">
            {name}
          </Code>
          <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} lines={3} />
        </Group>
      ))}
    </Stack>
  )
}
