import { Group, Stack } from '@mantine/core'
import { IconListDetails, IconListNumbers } from '../../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { customerKeysQuery } from '../../../api/customer-queries.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { Paged } from '../../../components/tables/paged.tsx'
import { outcomeNames, outcomes } from '../../../filters/outcomes.ts'
import { PlainChoice } from '../../../filters/plain-choice.tsx'
import { defaultDays, queryOf, timesOf } from '../../../filters/usage-filters.ts'
import { ledgerQueryOf } from '../../credit/credit-search.ts'
import { LedgerFilters } from '../../credit/ledger-filters.tsx'
import { Entries } from '../../credit/ledger.tsx'
import { RequestList } from '../../requests/request-list.tsx'
import { RequestTable } from '../../requests/request-table.tsx'
import { customerLedgerQuery, customerRequestsQuery, customerTopupsQuery } from './queries.ts'
import type { AccountView } from './search.ts'
import { AuditFilters } from '../audit/filters.tsx'
import { AuditList } from '../audit/list.tsx'
import { TopupTable } from '../topup-table.tsx'

const route = getRouteApi('/operator/accounts/$accountId')

interface AccountListProps {
  accountId: string
}

export function AccountRequests({ accountId }: AccountListProps) {
  const { cursor, show: _show, action: _action, row: _row, ...filters } = route.useSearch()
  const { data: keys } = useQuery(customerKeysQuery(accountId))
  const query = useQuery(customerRequestsQuery(accountId, { ...queryOf(filters), cursor }))
  const ofAccount = { keys: keys?.data ?? [] }
  return (
    <Stack gap="sm">
      <RequestFilters accountId={accountId} />
      <Paged
        query={query}
        cursor={cursor}
        empty={
          <EmptyNote icon={IconListDetails} title="No requests">
            Try other filters or a longer range.
          </EmptyNote>
        }
        skeletonHeight={420}
      >
        {(requests) => (
          <>
            <RequestTable requests={requests} ofAccount={ofAccount} />
            <RequestList requests={requests} ofAccount={ofAccount} />
          </>
        )}
      </Paged>
    </Stack>
  )
}

function RequestFilters({ accountId }: AccountListProps) {
  const { key, outcome } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: keys } = useQuery(customerKeysQuery(accountId))
  const change = (changed: Pick<AccountView, 'key' | 'outcome'>) =>
    void navigate({
      search: ({ cursor: _cursor, ...before }) => ({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Group gap="sm">
      <PlainChoice
        label="Key"
        any="Any key"
        isSearchable
        width={200}
        offers={(keys?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={key}
        onChange={(value) => change({ key: value })}
      />
      <PlainChoice
        label="Outcome"
        any="Any outcome"
        width={180}
        offers={outcomes.map((value) => ({ value, label: outcomeNames[value] }))}
        value={outcome}
        onChange={(value) => change({ outcome: value })}
      />
    </Group>
  )
}

export function AccountLedger({ accountId }: AccountListProps) {
  const { cursor, kind, key, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: keys } = useQuery(customerKeysQuery(accountId))
  const view = { kind, key, from, to }
  return (
    <Stack gap="sm">
      <LedgerFilters
        view={view}
        keys={keys?.data ?? []}
        onChange={(changed) =>
          void navigate({ search: { show: 'ledger', ...changed }, replace: true, resetScroll: false })
        }
      />
      <Paged
        query={useQuery(customerLedgerQuery(accountId, { ...ledgerQueryOf(view), cursor }))}
        cursor={cursor}
        empty={<EmptyNote icon={IconListNumbers} title="No matching transactions" />}
        skeletonHeight={320}
      >
        {(entries) => <Entries entries={entries} keys={keys?.data ?? []} isOthers />}
      </Paged>
    </Stack>
  )
}

export function AccountTopups({ accountId }: AccountListProps) {
  const { cursor, days, from, to } = route.useSearch()
  const times = timesOf({ days: days ?? defaultDays, from, to }, Date.now())
  return (
    <Paged
      query={useQuery(customerTopupsQuery(accountId, { ...times, cursor }))}
      cursor={cursor}
      empty={<EmptyNote icon={IconListNumbers} title="No top-ups in this range" />}
      skeletonHeight={240}
    >
      {(topups) => <TopupTable topups={topups} />}
    </Paged>
  )
}

/** What the account's users did, and what was done to it. */
export function AccountAudit({ accountId }: AccountListProps) {
  const { cursor, actor, who, did, result, days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const view = { actor, who, did, result }
  return (
    <Stack gap="sm">
      <AuditFilters
        view={view}
        onChange={(changed) =>
          void navigate({
            search: { show: 'audit', days, from, to, ...view, ...changed },
            replace: true,
            resetScroll: false,
          })
        }
      />
      <AuditList
        view={{ ...view, about: accountId }}
        range={{ days: days ?? defaultDays, from, to }}
        cursor={cursor}
      />
    </Stack>
  )
}
