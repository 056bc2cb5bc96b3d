import { Text } from '@mantine/core'
import { IconListNumbers } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Paged } from '../../components/paged.tsx'
import { exactUsd } from '../../format/money.ts'
import { exactTimeOf } from '../../format/time.ts'
import { kindNames, movementOf } from './movements.ts'

type Entry = Schemas['LedgerEntry']

const route = getRouteApi('/credit')

/** Every movement of credit: append-only, the newest first. */
export function Ledger({ keys }: { keys: Schemas['Key'][] }) {
  const { cursor } = route.useSearch()
  const query = useQuery({
    queryKey: ['ledger', cursor],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/ledger', { params: { query: { cursor } }, signal })),
  })
  return (
    <Paged
      query={query}
      cursor={cursor}
      empty={<EmptyNote icon={IconListNumbers} title="No credit has moved yet" />}
      skeletonHeight={320}
    >
      {(entries) => <Entries entries={entries} keys={keys} />}
    </Paged>
  )
}

/** Of whichever account. */
export function Entries({ entries, keys }: { entries: Entry[]; keys: Schemas['Key'][] }) {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return (
    <DataTable
      label="Movements of credit"
      minWidth={640}
      verticalSpacing="xs"
      isStacked
      columns={columnsOf(names)}
      rows={entries}
      keyOf={({ id }) => id}
    />
  )
}

function columnsOf(keyNames: ReadonlyMap<string, string>): Column<Entry>[] {
  return [
    { head: 'Time', place: 'words', cell: (entry) => <Text size="sm">{exactTimeOf(entry.created_at)}</Text> },
    { head: 'What', place: 'name', cell: (entry) => <What entry={entry} /> },
    {
      head: 'From and to',
      place: 'words',
      cell: (entry) => (
        <Text size="sm" c="dimmed">
          {movementOf(entry, keyNames)}
        </Text>
      ),
    },
    {
      head: 'Change',
      align: 'right',
      weight: 600,
      place: 'figure',
      cell: (entry) => <Change entry={entry} />,
    },
  ]
}

function What({ entry: { kind, reason } }: { entry: Entry }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {kindNames[kind]}
      </Text>
      {reason !== null && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
    </>
  )
}

function Change({ entry: { change_usd: change, amount_usd: amount } }: { entry: Entry }) {
  if (change !== '0') return exactUsd(change)
  return (
    <>
      {exactUsd(amount)}
      <Text size="xs" c="dimmed">
        stays on the account
      </Text>
    </>
  )
}
