import { Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { Paged } from '../../components/tables/paged.tsx'
import { SearchField } from '../../components/forms/search-field.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { DateText } from '../../components/tables/time-text.tsx'
import { PlainChoice } from '../../filters/plain-choice.tsx'
import { RangeFilter } from '../../filters/range-filter.tsx'
import { timesOf } from '../../filters/usage-filters.ts'
import { AccountActions } from './account/actions.tsx'
import { AccountDialog } from './account/dialog.tsx'
import type { OperatorView } from './operator-search.ts'
import { Person } from './person.tsx'

type Account = Schemas['Account']

const route = getRouteApi('/operator')

/** All accounts, the newest first, or those that match the search. */
export function Accounts() {
  const { cursor, action, account: accountId, q, status, kind, ...view } = route.useSearch()
  const navigate = route.useNavigate()
  const times = timesOf(view, Date.now())
  const query = useQuery(
    readQuery(['operator', 'accounts', { cursor, q, status, kind, ...times }], '/api/v1/admin/accounts', {
      query: { order: 'newest', cursor, search: q, status, kind, ...times },
    }),
  )
  const change = (changed: OperatorView) =>
    void navigate({ search: { show: 'accounts', ...view, q, status, kind, ...changed }, replace: true })
  const found = query.data?.data.find(({ id }) => id === accountId)
  return (
    <Stack gap="sm">
      <Filters onChange={change} />
      <Paged
        query={query}
        cursor={cursor}
        empty={
          <EmptyNote icon={IconUsers} title="No matching accounts">
            Search by the start of a name, an email address or its domain (@example.com), or by the full id of
            an account, key or request.
          </EmptyNote>
        }
        skeletonHeight={320}
      >
        {(accounts) => (
          <DataTable
            label="Accounts"
            minWidth={720}
            columns={columns}
            rows={accounts}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
      <AccountDialog
        account={found}
        action={action === 'credit' || action === 'status' ? action : undefined}
        onDone={() => change({ cursor })}
      />
    </Stack>
  )
}

function Filters({ onChange }: { onChange: (changed: OperatorView) => void }) {
  const { q, status, kind, days, from, to } = route.useSearch()
  return (
    <Group gap="sm">
      <SearchField
        label="Search accounts"
        placeholder="Name, address, @domain, id, key, request"
        value={q}
        onSearch={(text) => onChange({ q: text })}
      />
      <PlainChoice
        label="Status"
        any="Any status"
        width={150}
        offers={[
          { value: 'active', label: 'Active' },
          { value: 'suspended', label: 'Suspended' },
          { value: 'closed', label: 'Closed' },
        ]}
        value={status}
        onChange={(value) => onChange({ status: value })}
      />
      <PlainChoice
        label="Kind"
        any="Any kind"
        width={150}
        offers={[
          { value: 'person', label: 'Persons' },
          { value: 'organization', label: 'Organizations' },
        ]}
        value={kind}
        onChange={(value) => onChange({ kind: value })}
      />
      <RangeFilter
        range={{ days, from, to }}
        isOptional
        onChange={(range) => onChange({ days: undefined, from: undefined, to: undefined, ...range })}
      />
    </Group>
  )
}

export const statusColors: Record<Account['status'], string> = {
  active: 'teal',
  suspended: 'orange',
  closed: 'gray',
}

const columns: Column<Account>[] = [
  {
    head: 'Account',
    place: 'name',
    cell: ({ id, kind, display_name: name, email, email_verified: isVerified }) => (
      <Person
        id={id}
        name={name}
        email={email}
        isVerified={isVerified}
        isOrganization={kind === 'organization'}
      />
    ),
  },
  {
    head: 'Status',
    cell: ({ status, operator }) => (
      <>
        <StateBadge color={statusColors[status]}>{status}</StateBadge>
        {operator && (
          <Text size="xs" c="dimmed" mt={2}>
            operator
          </Text>
        )}
      </>
    ),
  },
  { head: 'Tier', cell: ({ tier }) => tier },
  {
    head: 'Balance',
    align: 'right',
    weight: 600,
    place: 'figure',
    cell: ({ balance_usd: balance, unassigned_usd: waiting }) => (
      <>
        <Money amount={balance} />
        {waiting !== '0' && (
          <Text size="xs" c="dimmed" fw={400}>
            and <Money amount={waiting} /> for its next key
          </Text>
        )}
      </>
    ),
  },
  { head: 'Since', cell: (account) => <DateText at={account.created_at} /> },
  { head: 'Actions', width: 56, place: 'action', cell: (account) => <AccountActions account={account} /> },
]
