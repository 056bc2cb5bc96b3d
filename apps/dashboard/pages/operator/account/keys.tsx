import { Button, Code, Group, Skeleton, Text } from '@mantine/core'
import { IconKey } from '../../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, type Schemas } from '../../../api/client.ts'
import { customerKeysQuery } from '../../../api/customer-queries.ts'
import { nameOf } from '../../../api/usage-queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Money } from '../../../components/money.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { AgoText } from '../../../components/tables/time-text.tsx'
import { queryOf } from '../../../filters/usage-filters.ts'
import { exactUsd, parseUsd } from '../../../format/money.ts'
import { timeOf } from '../../../format/time.ts'
import { spendByKeyQuery } from './queries.ts'

type Key = Schemas['Key']

const route = getRouteApi('/operator/accounts/$accountId')

/** The account's keys, with their credit, restrictions, and charges in the range. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const { action, row, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(customerKeysQuery(accountId))
  const { data: spent } = useQuery(spendByKeyQuery(accountId, queryOf({ days, from, to })))
  const spentBy = new Map(spent?.data.map((group) => [nameOf(group), group.total_cost_usd]))
  const revoked = query.data?.data.find(({ id }) => id === row)
  const close = () =>
    void navigate({
      search: ({ action: _a, row: _r, ...before }) => before,
      replace: true,
      resetScroll: false,
    })
  const revoke = ({ id }: Key) =>
    void navigate({ search: (before) => ({ ...before, action: 'revoke', row: id }), resetScroll: false })
  return (
    <Panel p={0}>
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconKey} title="No keys" />
          ) : (
            <>
              <DataTable
                label="Keys of the account"
                minWidth={780}
                verticalSpacing="xs"
                columns={columnsOf({ keys: data, spentBy, onRevoke: revoke })}
                rows={data}
                keyOf={({ id }) => id}
              />
              {hasMore && (
                <Text size="sm" c="dimmed" p="md">
                  Not all keys are shown here. Search for others by id.
                </Text>
              )}
            </>
          )
        }
      </Loaded>
      <FormDialog opened={action === 'revoke' && revoked !== undefined} onClose={close} title="Revoke key">
        {revoked !== undefined && <RevokeForm accountId={accountId} revoked={revoked} onDone={close} />}
      </FormDialog>
    </Panel>
  )
}

interface RevokeFormProps {
  accountId: string
  revoked: Key
  onDone: () => void
}

function RevokeForm({ accountId, revoked, onDone }: RevokeFormProps) {
  const change = useChange('operator', onDone, () =>
    api.DELETE('/api/v1/admin/accounts/{account_id}/keys/{key_id}', {
      params: { path: { account_id: accountId, key_id: revoked.id } },
    }),
  )
  return (
    <ChangeForm change={change} submit="Revoke permanently" isFinal onCancel={onDone}>
      <Text size="sm">
        Any program that uses{' '}
        <strong>
          <bdi>{revoked.name}</bdi>
        </strong>{' '}
        is refused within a second. This cannot be undone.
        {parseUsd(revoked.balance_usd) > 0n &&
          ` Its credit of ${exactUsd(revoked.balance_usd)} stays with the account.`}
      </Text>
    </ChangeForm>
  )
}

interface KeyColumns {
  keys: Key[]
  spentBy: ReadonlyMap<string | null, string>
  onRevoke: (key: Key) => void
}

function columnsOf({ keys, spentBy, onRevoke }: KeyColumns): Column<Key>[] {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return [
    { head: 'Key', place: 'name', cell: (key) => <Name named={key} /> },
    {
      head: 'State',
      cell: ({ status }) => <StateBadge color={status === 'active' ? 'teal' : 'gray'}>{status}</StateBadge>,
    },
    {
      head: 'Credit',
      align: 'right',
      weight: 600,
      place: 'figure',
      cell: ({ balance_usd: balance, draws_on: payer }) => (
        <>
          <Money amount={balance} />
          {payer !== null && (
            <Text size="xs" c="dimmed" fw={400} component="div" maw={180}>
              <ForeignText text={`draws on ${names.get(payer) ?? payer}`} />
            </Text>
          )}
        </>
      ),
    },
    { head: 'Limits', cell: (key) => <Limits limited={key} /> },
    {
      head: 'Charged in range',
      align: 'right',
      cell: ({ id }) => <Money amount={spentBy.get(id) ?? '0'} />,
    },
    { head: 'Last used', cell: ({ last_used_at: at }) => <AgoText at={at} /> },
    {
      head: 'Actions',
      width: 100,
      place: 'action',
      cell: (key) =>
        key.status === 'active' && (
          <Button size="xs" variant="default" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        ),
    },
  ]
}

function Name({ named: { name, key_prefix: prefix, id } }: { named: Key }) {
  return (
    <div style={{ maxWidth: 240 }} title={id}>
      <Text size="sm" fw={600} component="div">
        <ForeignText text={name} />
      </Text>
      <Code fz={12}>{prefix}…</Code>
    </div>
  )
}

function Limits({ limited }: { limited: Key }) {
  const {
    spend_limit_usd: limit,
    spend_limit_period: period,
    allowed_models: models,
    expires_at: end,
  } = limited
  const words = [
    limit === null ? undefined : `${exactUsd(limit)} ${period === 'total' ? 'in total' : `a ${period}`}`,
    models === null ? undefined : models.length === 1 ? models[0] : `${models.length} models`,
    end === null ? undefined : `until ${timeOf(end)}`,
  ].filter((one) => one !== undefined)
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed" title={models?.join(', ')}>
        {words.length === 0 ? 'none' : words.join('; ')}
      </Text>
    </Group>
  )
}
