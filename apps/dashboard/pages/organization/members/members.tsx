import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { accountQuery } from '../../../api/queries.ts'
import { rolesGivenBy } from '../../../api/roles.ts'
import { roleNames } from '../../../api/role-names.ts'
import { membersQuery } from '../../../api/team-queries.ts'
import { memberName } from '../../../api/team.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { dateOf, timeOf } from '../../../format/time.ts'
import { IconPlus, IconTool } from '../../../icons/icons.ts'
import { MemberDialogs } from './member-dialogs.tsx'
import { MemberMenu } from './member-menu.tsx'
import { useSpendColumns } from './member-spend.tsx'
import { useDialog } from '../use-dialog.ts'

type Member = Schemas['Member']

/** The members of the organization: people, and service accounts, which have keys but no login. */
export function Members() {
  const query = useQuery(membersQuery)
  const { data: account } = useQuery(accountQuery)
  const may = useMay()
  const { open } = useDialog()
  const mayChange = may('members:write')
  const spend = useSpendColumns(account)
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Members"
      description="People can sign in. Service accounts only have keys, for shared programs."
      actions={
        mayChange && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconTool size={16} />}
              onClick={() => open({ action: 'service' })}
            >
              New service account
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => open({ action: 'invite' })}>
              Invite someone
            </Button>
          </Group>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) => (
          <>
            <DataTable
              label="Members"
              minWidth={spend.length > 1 ? 860 : 640}
              columns={columnsOf(account, mayChange, spend)}
              rows={data.filter(({ status }) => status !== 'removed')}
              keyOf={({ id }) => id}
            />
            <MemberDialogs members={data} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function columnsOf(
  me: Schemas['Me'] | undefined,
  mayChange: boolean,
  spend: readonly Column<Member>[],
): Column<Member>[] {
  return [
    {
      head: 'Member',
      place: 'name',
      orderBy: memberName,
      cell: (member) => <Who member={member} isSelf={member.id === me?.member_id} />,
    },
    {
      head: 'Role',
      orderBy: ({ role }) => roleNames[role],
      cell: ({ role, kind }) => (kind === 'service' ? 'Service account' : roleNames[role]),
    },
    {
      head: 'Joined',
      cell: ({ created_at: at, source }) => (
        <Text size="sm" c="dimmed" component="span" title={timeOf(at)}>
          {dateOf(at)}, {sourceWords[source]}
        </Text>
      ),
    },
    ...spend,
    {
      head: 'Actions',
      width: 56,
      place: 'action',
      cell: (member) => {
        const isSelf = member.id === me?.member_id
        // A role that may assign a role may also take it away.
        const isWithin = rolesGivenBy(me?.role).includes(member.role)
        return (
          member.status === 'active' &&
          (isSelf || (mayChange && isWithin)) && <MemberMenu member={member} isSelf={isSelf} />
        )
      },
    },
  ]
}

const sourceWords: Record<Member['source'], string> = {
  founder: 'founder',
  invitation: 'invited',
  claims: 'through the identity provider',
  operator: 'added by the operator',
  admin: 'created by an admin',
}

function Who({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { name, email, email_verified: isVerified, status } = member
  return (
    <div style={{ minWidth: 0 }}>
      <Group gap={8}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {memberName(member)}
        </Text>
        {isSelf && (
          <Badge variant="light" color="gray" tt="none" fw={500} radius="sm">
            you
          </Badge>
        )}
        {status === 'leaving' && <StateBadge color="orange">leaving</StateBadge>}
      </Group>
      {name !== null && email !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
          {!isVerified && ', not verified'}
        </Text>
      )}
    </div>
  )
}
