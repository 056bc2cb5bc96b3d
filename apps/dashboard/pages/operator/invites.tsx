import { Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash, IconUsers } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiFailure } from '../../api/api-failure.ts'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { Panel } from '../../components/panel.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { DateText } from '../../components/tables/time-text.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { timesOf } from '../../filters/usage-filters.ts'
import { relativeTo, timeOf } from '../../format/time.ts'
import { InviteForm, WithdrawForm } from './invite-form.tsx'
import type { OperatorView } from './operator-search.ts'

type Invite = Schemas['Invite']

const route = getRouteApi('/operator')

const states = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'used', label: 'Used' },
  { value: 'expired', label: 'Expired' },
]

/** Invitations to register at the gateway's own identity provider. */
export function Invites() {
  const { cursor, state, action, row, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const view = { show: 'invites' as const, state, days, from, to }
  const parameters = { cursor, ...(state && { state }), ...timesOf({ days, from, to }, Date.now()) }
  const query = useQuery(
    readQuery(['operator', 'invites', parameters], '/api/v1/admin/identity/invites', { query: parameters }),
  )
  if (query.error instanceof ApiFailure && query.error.status === 404) return <NoneHere />
  const change = (changed: OperatorView) =>
    void navigate({ search: { ...view, ...changed }, replace: true, resetScroll: false })
  const open = (changed: OperatorView) =>
    void navigate({ search: { ...view, cursor, ...changed }, resetScroll: false })
  const found = query.data?.data.find(({ id }) => id === row)
  const close = () => change({ cursor })
  return (
    <Stack gap="sm">
      <Filters onChange={change} onInvite={() => open({ action: 'invite' })} />
      <Paged
        query={query}
        cursor={cursor}
        empty={
          <EmptyNote icon={IconUsers} title="No invitations">
            Anyone with an invitation code can register once, even if registration is closed.
          </EmptyNote>
        }
        skeletonHeight={260}
      >
        {(invites) => (
          <DataTable
            label="Invitations"
            minWidth={680}
            columns={columnsOf(({ id }) => open({ action: 'withdraw', row: id }))}
            rows={invites}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
      <FormDialog opened={action === 'invite'} onClose={close} title="Invite someone">
        <InviteForm onDone={close} />
      </FormDialog>
      <FormDialog
        opened={action === 'withdraw' && found !== undefined}
        onClose={close}
        title="Revoke invitation"
      >
        {found !== undefined && <WithdrawForm invite={found} onDone={close} />}
      </FormDialog>
    </Stack>
  )
}

interface FiltersProps {
  onChange: (changed: OperatorView) => void
  onInvite: () => void
}

function Filters({ onChange, onInvite }: FiltersProps) {
  const { state, days, from, to } = route.useSearch()
  return (
    <Group gap="sm" justify="space-between">
      <Group gap="sm">
        <SegmentedControl
          aria-label="Invitation status"
          value={state ?? 'all'}
          data={states}
          onChange={(value) =>
            onChange({ state: value === 'all' ? undefined : (value as OperatorView['state']) })
          }
        />
        <RangeFilter
          range={{ days, from, to }}
          isOptional
          onChange={(range) => onChange({ days: undefined, from: undefined, to: undefined, ...range })}
        />
      </Group>
      <Button leftSection={<IconPlus size={16} />} onClick={onInvite}>
        Invite someone
      </Button>
    </Group>
  )
}

function NoneHere() {
  return (
    <Panel>
      <EmptyNote icon={IconUsers} title="People sign in with another identity provider">
        Invitations only work with the embedded identity provider. Yours decides who may sign in (
        <Code>identity.issuer</Code>).
      </EmptyNote>
    </Panel>
  )
}

function stateOf({ used_at: usedAt, expires_at: end }: Invite, nowMs: number): [string, string] {
  if (usedAt !== null) return ['used', 'gray']
  return end * 1000 <= nowMs ? ['expired', 'orange'] : ['open', 'teal']
}

function columnsOf(onWithdraw: (invite: Invite) => void): Column<Invite>[] {
  return [
    {
      head: 'For',
      place: 'name',
      cell: ({ email, id }) => (
        <div style={{ maxWidth: 300 }}>
          <Text size="sm" fw={600} component="div">
            {email === null ? 'Anyone with the code' : <ForeignText text={email} />}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" component="div">
            <ForeignText text={id} />
          </Text>
        </div>
      ),
    },
    {
      head: 'State',
      cell: (invite) => {
        const [state, color] = stateOf(invite, Date.now())
        return <StateBadge color={color}>{state}</StateBadge>
      },
    },
    { head: 'Made', cell: ({ created_at: at }) => <DateText at={at} /> },
    {
      head: 'Ends',
      cell: ({ used_at: usedAt, expires_at: end }) => (
        <Text size="sm" c="dimmed" title={timeOf(usedAt ?? end)}>
          {usedAt === null ? relativeTo(end, Date.now()) : `used ${relativeTo(usedAt, Date.now())}`}
        </Text>
      ),
    },
    {
      head: 'Actions',
      width: 130,
      place: 'action',
      cell: (invite) =>
        invite.used_at === null && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} />}
            onClick={() => onWithdraw(invite)}
            aria-label={`Revoke invitation of ${invite.email ?? invite.id}`}
          >
            Revoke
          </Button>
        ),
    },
  ]
}
