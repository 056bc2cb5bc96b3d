import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { roleNames } from '../../../api/role-names.ts'
import { memberName, useMembers } from '../../../api/team.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Pager } from '../../../components/tables/pager.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { useTrail } from '../../../components/use-trail.ts'
import { dateOf, relativeTo, timeOf } from '../../../format/time.ts'
import { IconPlus, IconUsers } from '../../../icons/icons.ts'
import { InviteForm } from './invite-form.tsx'
import { useDialog } from '../use-dialog.ts'

type Invitation = Schemas['OrganizationInvitation']

const route = getRouteApi('/organization')

/** Invitation links and their state. */
export function Invitations() {
  const { cursor } = route.useSearch()
  const query = useQuery(
    readQuery(['invitations', cursor], '/api/v1/organization/invitations', {
      query: { ...(cursor !== undefined && { cursor }) },
    }),
  )
  const { action, open, close } = useDialog()
  const [revoked, setRevoked] = useState<Invitation>()
  const { go, back } = useTrail(cursor)
  const done = () => setRevoked(undefined)
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Invitations"
      description="A link works once, for a week. It is shown only once."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => open({ action: 'invite' })}>
          Invite someone
        </Button>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data, next_cursor: next }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconUsers} title="No invitations">
              Create a link and send it to your colleagues.
            </EmptyNote>
          ) : (
            <>
              <InvitationTable invitations={data} onRevoke={setRevoked} />
              <Pager isFirst={cursor === undefined} next={next} onNewer={back} onGo={go} />
            </>
          )
        }
      </Loaded>
      <FormDialog opened={action === 'invite'} onClose={close} title="Invite someone">
        {action === 'invite' && <InviteForm onDone={close} />}
      </FormDialog>
      <FormDialog opened={revoked !== undefined} onClose={done} title="Revoke invitation">
        {revoked !== undefined && <RevokeForm revoked={revoked} onDone={done} />}
      </FormDialog>
    </Panel>
  )
}

interface InvitationTableProps {
  invitations: Invitation[]
  onRevoke: (invitation: Invitation) => void
}

function InvitationTable({ invitations, onRevoke }: InvitationTableProps) {
  const members = useMembers()
  const nameOf = (id: string | null): string | undefined => {
    const found = members.find((one) => one.id === id)
    return found && memberName(found)
  }
  return (
    <DataTable
      label="Invitations"
      minWidth={680}
      columns={columnsOf(nameOf, onRevoke)}
      rows={invitations}
      keyOf={({ id }) => id}
    />
  )
}

const stateColors: Record<Invitation['status'], string> = {
  open: 'teal',
  used: 'gray',
  revoked: 'red',
  expired: 'orange',
}

function columnsOf(
  nameOf: (memberId: string | null) => string | undefined,
  onRevoke: (invitation: Invitation) => void,
): Column<Invitation>[] {
  return [
    {
      head: 'For',
      place: 'name',
      cell: ({ email, used_by: usedBy }) => (
        <Text size="sm" fw={600} component="div" style={{ overflowWrap: 'anywhere' }}>
          {nameOf(usedBy) ?? email ?? 'Anyone with the link'}
        </Text>
      ),
    },
    { head: 'Role', cell: ({ role }) => roleNames[role] },
    {
      head: 'State',
      cell: ({ status }) => <StateBadge color={stateColors[status]}>{status}</StateBadge>,
    },
    {
      head: 'Made',
      cell: ({ created_at: at, created_by: by }) => (
        <Text size="sm" c="dimmed" component="span" title={timeOf(at)}>
          {dateOf(at)}
          {nameOf(by) !== undefined && `, by ${nameOf(by)}`}
        </Text>
      ),
    },
    {
      head: 'Ends',
      cell: ({ status, expires_at: end, used_at: usedAt }) => (
        <Text size="sm" c="dimmed" component="span" title={timeOf(usedAt ?? end)}>
          {usedAt === null ? (status === 'revoked' ? '–' : relativeTo(end, Date.now())) : dateOf(usedAt)}
        </Text>
      ),
    },
    {
      head: 'Actions',
      align: 'right',
      place: 'action',
      cell: (invitation) =>
        invitation.status === 'open' && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Revoke invitation of ${invitation.email ?? dateOf(invitation.created_at)}`}
            onClick={() => onRevoke(invitation)}
          >
            Revoke
          </Button>
        ),
    },
  ]
}

function RevokeForm({ revoked, onDone }: { revoked: Invitation; onDone: () => void }) {
  const path = '/api/v1/organization/invitations/{invitation_id}'
  const change = useChange('members', onDone, () =>
    api.DELETE(path, { params: { path: { invitation_id: revoked.id } } }),
  )
  return (
    <ChangeForm change={change} submit="Revoke" isFinal onCancel={onDone}>
      <Text size="sm">
        The link{revoked.email !== null && ` for ${revoked.email}`} will no longer work. You can create a new
        one.
      </Text>
    </ChangeForm>
  )
}
