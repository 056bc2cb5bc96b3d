import { Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { accountQuery } from '../../../api/queries.ts'
import { BackLink } from '../../../components/back-link.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Figure } from '../../../components/figure.tsx'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Money } from '../../../components/money.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { RangeFilter } from '../../../filters/range-filter.tsx'
import { queryOf, type Range } from '../../../filters/usage-filters.ts'
import { wholeNumber } from '../../../format/number.ts'
import { exactUsd } from '../../../format/money.ts'
import { timeOf } from '../../../format/time.ts'
import { IconCoin, IconUserCog } from '../../../icons/icons.ts'
import { lazyPage } from '../../../shell/lazy-page.tsx'
import { NotFoundPage } from '../../../shell/not-found-page.tsx'
import { AccountAudit, AccountLedger, AccountRequests, AccountTopups } from './lists.tsx'
import { AccountDialog } from './dialog.tsx'
import { AccountKeys } from './keys.tsx'
import { customerQuery, customerUsageQuery } from './queries.ts'
import { statusColors } from '../accounts.tsx'
import { rangeWords } from '../operator-days.ts'
import { ViewTabs } from '../view-tabs.tsx'

type Account = Schemas['Account']

const route = getRouteApi('/operator/accounts/$accountId')

/** The code of the less frequent lists is loaded when they are opened. */
const views = {
  requests: { label: 'Requests', component: AccountRequests, hasRange: true },
  keys: { label: 'Keys', component: AccountKeys, hasRange: true },
  members: {
    label: 'Members',
    component: lazyPage(() => import('./team.tsx'), 'AccountMembers'),
    hasRange: false,
  },
  budgets: {
    label: 'Budgets',
    component: lazyPage(() => import('./budgets.tsx'), 'AccountBudgets'),
    hasRange: false,
  },
  ledger: { label: 'Ledger', component: AccountLedger, hasRange: false },
  topups: { label: 'Top-ups', component: AccountTopups, hasRange: true },
  events: {
    label: 'Events',
    component: lazyPage(() => import('./events.tsx'), 'AccountEvents'),
    hasRange: false,
  },
  audit: { label: 'Audit', component: AccountAudit, hasRange: true },
}

const tabs = Object.entries(views).map(([value, { label }]) => ({
  value: value as keyof typeof views,
  label,
}))

/** One account, with everything that an operator needs to help its owner. */
export function AccountPage(): ReactNode {
  const { accountId } = route.useParams()
  const { data: me } = useQuery(accountQuery)
  const query = useQuery({ ...customerQuery(accountId), enabled: me?.operator === true })
  if (me !== undefined && !me.operator) return <NotFoundPage />
  return (
    <>
      <BackLink to="/operator">Accounts</BackLink>
      <Loaded query={query} skeleton={<Skeleton height={600} radius="lg" />}>
        {(account) => <Account account={account} />}
      </Loaded>
    </>
  )
}

function Account({ account }: { account: Account }) {
  const { show: wantedView = 'requests', action, days, from, to } = route.useSearch()
  const show = tabsOf(account).some(({ value }) => value === wantedView) ? wantedView : 'requests'
  const range = { days, from, to }
  const navigate = route.useNavigate()
  const { component: View } = views[show]
  const open = (action: 'credit' | 'status') => () =>
    void navigate({ search: (before) => ({ ...before, action }), resetScroll: false })
  const close = () =>
    void navigate({
      search: ({ action: _action, ...before }) => before,
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <PageHeader
        title={account.kind === 'organization' ? 'Organization' : 'Account'}
        description={<ForeignText text={account.display_name ?? account.email ?? account.id} />}
      >
        <Group gap="sm">
          <Button variant="default" leftSection={<IconCoin size={16} />} onClick={open('credit')}>
            Adjust credit
          </Button>
          <Button variant="default" leftSection={<IconUserCog size={16} />} onClick={open('status')}>
            {account.status === 'active' ? 'Suspend, tier' : 'Resume, tier'}
          </Button>
        </Group>
      </PageHeader>
      <Stack gap="lg">
        <Figures account={account} range={range} />
        <Panel>
          <AccountFacts account={account} />
        </Panel>
        <Stack gap="sm">
          <Views show={show} account={account} />
          <Suspense fallback={<Skeleton height={320} radius="lg" />}>
            <View accountId={account.id} />
          </Suspense>
        </Stack>
      </Stack>
      <AccountDialog
        account={account}
        action={action === 'credit' || action === 'status' ? action : undefined}
        onDone={close}
      />
    </>
  )
}

/** Only organizations have members. */
function tabsOf({ kind }: Account): typeof tabs {
  return tabs.filter(({ value }) => value !== 'members' || kind === 'organization')
}

/** The chosen list and range. */
function Views({ show, account }: { show: keyof typeof views; account: Account }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const navigate = route.useNavigate()
  return (
    <Group gap="sm">
      <ViewTabs
        value={show}
        tabs={tabsOf(account)}
        onChange={(view) =>
          void navigate({ search: { show: view, ...range }, replace: true, resetScroll: false })
        }
      />
      {views[show].hasRange && (
        <RangeFilter
          range={range}
          onChange={(changed) =>
            void navigate({
              search: ({ days: _d, from: _f, to: _t, cursor: _c, ...before }) => ({ ...before, ...changed }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
    </Group>
  )
}

function Figures({ account, range }: { account: Account; range: Range }) {
  const { data: usage, isError } = useQuery(customerUsageQuery(account.id, queryOf(range)))
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'lg' }}>
      <Figure
        label="Balance"
        value={<Money amount={account.balance_usd} />}
        note={
          account.unassigned_usd === '0'
            ? 'of its active keys'
            : `and ${exactUsd(account.unassigned_usd)} unassigned`
        }
      />
      <Figure
        label="Status"
        value={<StateBadge color={statusColors[account.status]}>{account.status}</StateBadge>}
        note={`tier ${account.tier}`}
      />
      <Figure
        label="Charged"
        isFailed={isError}
        value={usage && <Money amount={usage.total_cost_usd} />}
        note={rangeWords(range)}
      />
      <Figure
        label="Requests"
        isFailed={isError}
        value={usage && wholeNumber(usage.total_requests)}
        note="successful"
      />
    </SimpleGrid>
  )
}

function AccountFacts({ account }: { account: Account }) {
  return (
    <Facts
      facts={[
        ['Identifier', <ForeignText key="id" text={account.id} lines={3} />],
        [
          'Name',
          account.display_name === null ? null : (
            <ForeignText key="name" text={account.display_name} lines={3} />
          ),
        ],
        ...(account.kind === 'organization' ? [] : signInFacts(account)),
        ['Since', timeOf(account.created_at)],
      ]}
    />
  )
}

/** Nobody signs in as an organization. */
function signInFacts(account: Account): [name: string, value: ReactNode][] {
  const { email, email_verified: isVerified } = account
  return [
    [
      'Address',
      email === null ? (
        'none'
      ) : (
        <span key="email">
          <ForeignText text={email} lines={3} />
          {!isVerified && ' (not verified)'}
        </span>
      ),
    ],
    [
      'Subject',
      <ForeignText key="subject" text={subjectOf(account) ?? 'nobody has signed in yet'} lines={3} />,
    ],
    ['Operator', account.operator ? 'yes' : 'no'],
  ]
}

/** Shown under the identity provider's name for it: `oidc_sub`. */
function subjectOf(account: Account): string | undefined {
  const found = Object.entries(account).find(([name]) => name.endsWith('_sub'))?.[1]
  return typeof found === 'string' ? found : undefined
}
