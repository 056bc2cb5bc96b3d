import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, bodyOf } from '../../api/client.ts'
import { accountQuery } from '../../api/queries.ts'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { shortNumber, wholeNumber } from '../../format/number.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Accounts } from './accounts.tsx'
import { Books } from './books.tsx'
import classes from './operator-page.module.css'
import { operatorDays } from './operator-days.ts'
import { Prices } from './prices.tsx'
import { Revenue } from './revenue.tsx'
import { Upstreams } from './upstreams.tsx'

const route = getRouteApi('/operator')

const views = {
  accounts: { label: 'Accounts', component: Accounts },
  revenue: { label: 'Revenue', component: Revenue },
  upstreams: { label: 'Upstreams', component: Upstreams },
  prices: { label: 'Prices', component: Prices },
  books: { label: 'Books', component: Books },
}

const allUsageQuery = queryOptions({
  queryKey: ['operator', 'usage'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/admin/usage', { params: { query: { days: operatorDays } }, signal })),
})

/** For those who run the gateway: everybody's accounts, what is behind them, and whether the books agree. */
export function OperatorPage() {
  const { show = 'accounts' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: account, error } = useQuery(accountQuery)
  const { data: usage, isError } = useQuery({ ...allUsageQuery, enabled: account?.operator === true })
  if (account !== undefined && !account.operator) return <NotFoundPage />
  const { component: View } = views[show]
  const isFailed = isError || error !== null
  return (
    <>
      <PageHeader
        title="Operator"
        description="All accounts of this gateway. What you do here is in the audit log."
      />
      <Stack gap="lg">
        <SimpleGrid cols={2} spacing={{ base: 'sm', md: 'lg' }}>
          <Figure
            label="Charged"
            isFailed={isFailed}
            value={usage && <Money amount={usage.total_cost_usd} />}
            note={`to all accounts, in ${operatorDays} days`}
          />
          <Figure
            label="Requests"
            isFailed={isFailed}
            value={usage && wholeNumber(usage.total_requests)}
            note={
              usage && `that succeeded, ${shortNumber(usage.total_tokens_in + usage.total_tokens_out)} tokens`
            }
          />
        </SimpleGrid>
        <SegmentedControl
          aria-label="What is shown"
          classNames={{ root: classes.tabs, label: classes.tab }}
          value={show}
          data={Object.entries(views).map(([value, { label }]) => ({ value: value as typeof show, label }))}
          onChange={(value) => void navigate({ search: { show: value }, replace: true, resetScroll: false })}
        />
        <View />
      </Stack>
    </>
  )
}
