import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconListNumbers } from '../../icons/icons.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { downloadLedger } from '../../api/download.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { exactUsd } from '../../format/money.ts'
import { exactTimeOf } from '../../format/time.ts'
import { ledgerQueryOf } from './credit-search.ts'
import { LedgerFilters } from './ledger-filters.tsx'
import { kindNames, movementOf } from './movements.ts'
import { ReceiptLink } from './receipt-link.tsx'

type Entry = Schemas['LedgerEntry']

const route = getRouteApi('/credit')

/** Every movement of credit, the newest first. The ledger is append-only. */
export default function Ledger({ keys }: { keys: Schemas['Key'][] }) {
  const { cursor, show: _show, session: _session, ...view } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = ledgerQueryOf(view)
  const query = useQuery(
    readQuery(['ledger', filters, cursor], '/api/v1/ledger', { query: { ...filters, cursor } }),
  )
  const download = useMutation({ mutationFn: () => downloadLedger({ ...filters, format: 'csv' }) })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 300px">
          <LedgerFilters
            view={view}
            keys={keys}
            onChange={(changed) =>
              void navigate({ search: { show: 'ledger', ...changed }, replace: true, resetScroll: false })
            }
          />
        </Box>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          CSV
        </Button>
      </Group>
      {download.error !== null && <FailureNote error={download.error} />}
      <Paged
        query={query}
        cursor={cursor}
        empty={
          <EmptyNote
            icon={IconListNumbers}
            title={isFiltered ? 'No results for these filters' : 'No transactions yet'}
          />
        }
        skeletonHeight={320}
      >
        {(entries) => <Entries entries={entries} keys={keys} />}
      </Paged>
    </Stack>
  )
}

interface EntriesProps {
  entries: Entry[]
  keys: Schemas['Key'][]
  /** Another account's entries, as an operator sees them: their receipts are not available. */
  isOthers?: boolean
}

/** Ledger entries of any account. */
export function Entries({ entries, keys, isOthers = false }: EntriesProps) {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return (
    <DataTable
      label="Transactions"
      minWidth={640}
      verticalSpacing="xs"
      columns={columnsOf(names, isOthers)}
      rows={entries}
      keyOf={({ id }) => id}
    />
  )
}

function columnsOf(keyNames: ReadonlyMap<string, string>, isOthers: boolean): Column<Entry>[] {
  return [
    { head: 'Time', place: 'words', cell: (entry) => <Text size="sm">{exactTimeOf(entry.created_at)}</Text> },
    { head: 'What', place: 'name', cell: (entry) => <What entry={entry} isOthers={isOthers} /> },
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

function What({ entry, isOthers }: { entry: Entry; isOthers: boolean }) {
  const { kind, reason, request_id: requestId, topup_id: sessionId } = entry
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {kindNames[kind]}
        </Text>
        {requestId !== null && (
          <PageLink
            to={isOthers ? '/operator/requests/$requestId' : '/requests/$requestId'}
            params={{ requestId }}
          >
            Request
          </PageLink>
        )}
        {sessionId !== null && !isOthers && <ReceiptLink sessionId={sessionId} />}
      </Group>
      {reason !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
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
