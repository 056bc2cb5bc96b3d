import { Badge, Modal, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Money } from '../../components/money.tsx'
import { Paged } from '../../components/paged.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
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
        onGo={(to) => void navigate({ search: { show: 'accounts', cursor: to } })}
        empty={<EmptyNote icon={IconUsers} title="No accounts yet" />}
        skeletonHeight={320}
      >
        {(accounts) => <AccountTable accounts={accounts} />}
      </Paged>
      <Modal
        opened={found !== undefined && action !== undefined}
        onClose={close}
        title={action === 'credit' ? 'Give or take credit' : 'Status of the account'}
      >
        {found !== undefined && action === 'credit' && <CreditForm account={found} onDone={close} />}
        {found !== undefined && action === 'status' && <StatusForm account={found} onDone={close} />}
      </Modal>
    </>
  )
}

const colors: Record<Account['status'], string> = { active: 'teal', suspended: 'orange', closed: 'gray' }

function AccountTable({ accounts }: { accounts: Account[] }) {
  return (
    <ScrollTable label="Accounts" minWidth={720} isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Account</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Tier</Table.Th>
          <Table.Th ta="right">Balance</Table.Th>
          <Table.Th>Since</Table.Th>
          <Table.Th w={56}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Table.Tr key={account.id}>
            <Table.Td data-place="name">
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
              </Text>
            </Table.Td>
            <Table.Td data-label="Status">
              <Badge variant="dot" color={colors[account.status]} tt="none" fw={500} radius="sm">
                {account.status}
              </Badge>
            </Table.Td>
            <Table.Td data-label="Tier">{account.tier}</Table.Td>
            <Table.Td ta="right" fw={600} data-place="figure">
              <Money amount={account.balance_usd} />
            </Table.Td>
            <Table.Td data-label="Since">
              <Text size="sm" c="dimmed">
                {dateOf(account.created_at)}
              </Text>
            </Table.Td>
            <Table.Td data-place="action">
              <AccountActions account={account} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
