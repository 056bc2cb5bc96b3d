import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { customerMembersQuery } from '../../../api/customer-queries.ts'
import { roleNames } from '../../../api/role-names.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { DateText } from '../../../components/tables/time-text.tsx'
import { IconUsers } from '../../../icons/icons.ts'
import { Person } from '../person.tsx'

type Member = Schemas['Member']

const route = getRouteApi('/operator/accounts/$accountId')

/** The current and former members of an organization. */
export function AccountMembers() {
  const { accountId } = route.useParams()
  const query = useQuery(customerMembersQuery(accountId))
  return (
    <Panel p={0}>
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconUsers} title="No members" />
          ) : (
            <DataTable
              label="Members of the organization"
              minWidth={640}
              columns={columns}
              rows={data.toSorted(activeFirst)}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

function activeFirst(left: Member, right: Member): number {
  return Number(left.status === 'removed') - Number(right.status === 'removed')
}

const statusColors: Record<Member['status'], string> = { active: 'teal', leaving: 'orange', removed: 'gray' }

const columns: Column<Member>[] = [
  {
    head: 'Member',
    place: 'name',
    orderBy: ({ name, email, id }) => name ?? email ?? id,
    cell: (member) => <Who member={member} />,
  },
  {
    head: 'Role',
    orderBy: ({ role }) => roleNames[role],
    cell: ({ role, kind }) => (kind === 'service' ? 'Service account' : roleNames[role]),
  },
  {
    head: 'State',
    cell: ({ status }) => <StateBadge color={statusColors[status]}>{status}</StateBadge>,
  },
  { head: 'Came', cell: ({ created_at: at }) => <DateText at={at} /> },
]

/** A person has an account of their own; a service account has none. */
function Who({ member }: { member: Member }) {
  const { account_id: accountId, name, email, email_verified: isVerified, id } = member
  if (accountId !== null) return <Person id={accountId} name={name} email={email} isVerified={isVerified} />
  return (
    <Text size="sm" fw={600} component="div" title={id}>
      <ForeignText text={name ?? id} />
    </Text>
  )
}
