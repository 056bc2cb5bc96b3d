import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { readQuery } from '../../api/read-query.ts'
import { accountQuery } from '../../api/queries.ts'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { queryOf, type Range } from '../../filters/usage-filters.ts'
import { shortNumber, wholeNumber } from '../../format/number.ts'
import { lazyPage } from '../../shell/lazy-page.tsx'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Accounts } from './accounts.tsx'
import { rangeWords } from './operator-days.ts'
import { ViewTabs } from './view-tabs.tsx'

const route = getRouteApi('/operator')

/** The code of a view is loaded when it is opened. */
const views = {
  accounts: { label: 'Accounts', component: Accounts },
  revenue: { label: 'Revenue', component: lazyPage(() => import('./revenue/revenue.tsx'), 'Revenue') },
  health: { label: 'Health', component: lazyPage(() => import('./health.tsx'), 'OperatorHealth') },
  upstreams: {
    label: 'Upstreams',
    component: lazyPage(() => import('./upstreams/upstreams.tsx'), 'Upstreams'),
  },
  prices: { label: 'Prices', component: lazyPage(() => import('./prices.tsx'), 'Prices') },
  audit: { label: 'Audit log', component: lazyPage(() => import('./audit/audit.tsx'), 'Audit') },
  invites: { label: 'Invitations', component: lazyPage(() => import('./invites.tsx'), 'Invites') },
  books: { label: 'Books', component: lazyPage(() => import('./books/books.tsx'), 'Books') },
}

const tabs = Object.entries(views).map(([value, { label }]) => ({
  value: value as keyof typeof views,
  label,
}))

const allUsageQuery = (range: Range) => {
  const query = queryOf(range)
  return readQuery(['operator', 'usage', query], '/api/v1/admin/usage', { query })
}

/** For operators: all accounts, the upstreams, and whether the books balance. */
export function OperatorPage(): ReactNode {
  const { show = 'accounts', days, from, to } = route.useSearch()
  const range = { days, from, to }
  const navigate = route.useNavigate()
  const { data: account, error } = useQuery(accountQuery)
  const { data: usage, isError } = useQuery({ ...allUsageQuery(range), enabled: account?.operator === true })
  if (account !== undefined && !account.operator) return <NotFoundPage />
  const { component: View } = views[show]
  const open = (view: typeof show) =>
    void navigate({ search: { show: view, ...range }, replace: true, resetScroll: false })
  const isFailed = isError || error !== null
  return (
    <>
      <PageHeader
        title="Operator"
        description="All accounts of this gateway. Your actions here are recorded in the audit log."
      />
      <Stack gap="lg">
        <SimpleGrid cols={2} spacing={{ base: 'sm', md: 'lg' }}>
          <Figure
            label="Charged"
            isFailed={isFailed}
            value={usage && <Money amount={usage.total_cost_usd} />}
            note={`to all accounts, ${rangeWords(range)}`}
          />
          <Figure
            label="Requests"
            isFailed={isFailed}
            value={usage && wholeNumber(usage.total_requests)}
            note={
              usage && `successful, ${shortNumber(usage.total_tokens_in + usage.total_tokens_out)} tokens`
            }
          />
        </SimpleGrid>
        <ViewTabs value={show} tabs={tabs} onChange={open} />
        <Suspense fallback={<Skeleton height={320} radius="lg" />}>
          <View />
        </Suspense>
      </Stack>
    </>
  )
}
