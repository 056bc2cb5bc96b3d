import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconCircleCheck } from '../../../icons/icons.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { makeStale } from '../../../api/stale.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FailureNote } from '../../../components/failure-note.tsx'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Money } from '../../../components/money.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { wholeNumber } from '../../../format/number.ts'
import { exactTimeOf } from '../../../format/time.ts'

type Row = Schemas['SetAsideRow']

const route = getRouteApi('/operator')

/** What the cause means, and what helps. */
const causes: Record<Row['cause'], string> = {
  owner: 'Its account or key is not in this database. It belongs to another one, or a backup was restored.',
  amount:
    'Its amount is larger than the ledger can store. Check the usage of the request: the vendor ' +
    'reported an impossible value.',
  time: 'Its time is impossible. The clock of the node was wrong.',
  unreadable: 'It cannot be read. Its file is damaged or from another version.',
  rule: 'It violates a database constraint, which the reason names.',
  other: 'See the reason.',
}

/** Answers that were delivered but not charged. */
export function SetAside() {
  const { action, row } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(readQuery(['operator', 'set aside'], '/api/v1/admin/set-aside'))
  const found = query.data?.data.find(({ id }) => id === row)
  const go = (changed: { action?: 'discard'; row?: string }) =>
    void navigate({
      search: ({ action: _a, row: _r, ...before }) => ({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Rows missing from the ledger"
      description="Finished requests that the database rejected permanently, on this node."
    >
      <Loaded query={query} skeleton={<Skeleton height={120} />}>
        {({ data, total }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconCircleCheck} title="None. Every request is in the ledger" />
          ) : (
            <>
              <DataTable
                label="Rows missing from the ledger"
                minWidth={760}
                verticalSpacing="xs"
                columns={columnsOf(({ id }) => go({ action: 'discard', row: id }))}
                rows={data}
                keyOf={({ id, place }) => `${place} ${id}`}
              />
              {total > data.length && (
                <Text size="sm" c="dimmed" p="md">
                  The oldest {wholeNumber(data.length)} of {wholeNumber(total)}.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
      <FormDialog
        opened={action === 'discard' && found !== undefined}
        onClose={() => go({})}
        title="Discard row"
      >
        {found !== undefined && <DiscardForm row={found} onDone={() => go({})} />}
      </FormDialog>
    </Panel>
  )
}

function columnsOf(onDiscard: (row: Row) => void): Column<Row>[] {
  return [
    { head: 'Request', place: 'name', cell: (row) => <What row={row} /> },
    { head: 'Why', place: 'words', cell: (row) => <Why row={row} /> },
    {
      head: 'Charge',
      align: 'right',
      weight: 600,
      place: 'figure',
      cell: ({ charge_usd: charge }) => <Money amount={charge} />,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      width: 220,
      cell: (row) =>
        row.changeable ? <RowActions row={row} onDiscard={onDiscard} /> : <Elsewhere row={row} />,
    },
  ]
}

function What({ row }: { row: Row }) {
  const { request_id: id, requested_at: at, model, account_id: account } = row
  return (
    <div style={{ maxWidth: 260 }}>
      <Text size="sm" fw={500} component="div">
        {at === null ? 'Of an unknown time' : exactTimeOf(at)}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <ForeignText text={[model, id].filter((one) => one !== null).join(', ') || 'cannot be read'} />
      </Text>
      {account !== null && (
        <PageLink to="/operator" search={{ show: 'accounts', q: account }} size="xs">
          Its account
        </PageLink>
      )}
    </div>
  )
}

function Why({ row: { cause, reason, stored } }: { row: Row }) {
  return (
    <div style={{ maxWidth: 360 }}>
      <Text size="sm">{stored ? 'It is in the ledger now, so you can discard it.' : causes[cause]}</Text>
      <Text size="xs" c="dimmed" component="div">
        <ForeignText text={reason} lines={3} />
      </Text>
    </div>
  )
}

function Elsewhere({ row: { place } }: { row: Row }) {
  return (
    <Text size="xs" c="dimmed">
      Another worker’s, in {place}.
    </Text>
  )
}

function RowActions({ row, onDiscard }: { row: Row; onDiscard: (row: Row) => void }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/api/v1/admin/set-aside/{row_id}/retry', { params: { path: { row_id: row.id } } })),
    onSuccess: () => makeStale(queryClient, 'operator'),
  })
  const refused = retry.data?.written === false
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
        <Button size="xs" variant="default" onClick={() => onDiscard(row)}>
          Discard
        </Button>
      </Group>
      {refused && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          It was rejected again.
        </Text>
      )}
      {retry.error !== null && <FailureNote error={retry.error} />}
    </>
  )
}

function DiscardForm({ row, onDone }: { row: Row; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const change = useChange('operator', onDone, () =>
    api.POST('/api/v1/admin/set-aside/{row_id}/discard', {
      params: { path: { row_id: row.id } },
      body: { reason: reason.trim() },
    }),
  )
  return (
    <ChangeForm
      change={change}
      submit="Discard"
      isComplete={reason.trim() !== ''}
      fieldNames={['reason']}
      isFinal
      onCancel={onDone}
    >
      <Text size="sm">
        Its charge will not be posted. Settle it first by crediting or charging the account with an
        adjustment.
      </Text>
      <TextField
        name="reason"
        label="How it was settled"
        description="For the audit log."
        required
        data-autofocus
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </ChangeForm>
  )
}
