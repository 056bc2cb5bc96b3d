import { Text } from '@mantine/core'
import { IconUsers } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Paged } from '../../components/paged.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { dateOf } from '../../format/time.ts'
import { AccountActions } from './account-actions.tsx'
import { CreditForm } from './credit-form.tsx'
import { StatusForm } from './status-form.tsx'

type Account = Schemas['Account']

const route = getRouteApi('/operator')

export function Accounts() {
  const { cursor, action, account: accountId } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['operator', 'accounts', cursor],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/admin/accounts', { params: { query: { cursor } }, signal })),
  })
  const found = query.data?.data.find(({ id }) => id === accountId)
  const close = () =>
    void navigate({
      search: { show: 'accounts', ...(cursor && { cursor }) },
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <Paged
        query={query}
        cursor={cursor}
        empty={<EmptyNote icon={IconUsers} title="No accounts yet" />}
        skeletonHeight={320}
      >
        {(accounts) => (
          <DataTable
            label="Accounts"
            minWidth={720}
            isStacked
            columns={columns}
            rows={accounts}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
      <FormDialog
        opened={found !== undefined && action !== undefined}
        onClose={close}
        title={action === 'credit' ? 'Give or take credit' : 'Status of the account'}
      >
        {found !== undefined && action === 'credit' && <CreditForm account={found} onDone={close} />}
        {found !== undefined && action === 'status' && <StatusForm account={found} onDone={close} />}
      </FormDialog>
    </>
  )
}

const colors: Record<Account['status'], string> = { active: 'teal', suspended: 'orange', closed: 'gray' }

const columns: Column<Account>[] = [
  { head: 'Account', place: 'name', cell: (account) => <Name account={account} /> },
  {
    head: 'Status',
    cell: ({ status }) => <StateBadge color={colors[status]}>{status}</StateBadge>,
  },
  { head: 'Tier', cell: ({ tier }) => tier },
  {
    head: 'Balance',
    align: 'right',
    weight: 600,
    place: 'figure',
    cell: (account) => <Money amount={account.balance_usd} />,
  },
  {
    head: 'Since',
    cell: (account) => (
      <Text size="sm" c="dimmed">
        {dateOf(account.created_at)}
      </Text>
    ),
  },
  {
    head: 'Actions',
    isHeadHidden: true,
    width: 56,
    place: 'action',
    cell: (account) => <AccountActions account={account} />,
  },
]

function Name({ account }: { account: Account }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {account.display_name ?? account.email ?? account.id}
        {account.operator && (
          <Text span size="xs" c="dimmed">
            {' '}
            operator
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {account.email ?? account.id}
        {account.email !== null && !account.email_verified && ', not verified'}
      </Text>
    </>
  )
}
