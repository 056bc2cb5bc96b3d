import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/permissions.ts'
import { accountQuery, keysQuery } from '../../api/queries.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { parseUsd } from '../../format/money.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { CreditFigures } from './credit-figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { homeQueries } from './home-queries.ts'
import { RecentFailures } from './recent-failures.tsx'
import { SpendByDay } from './spend-by-day.tsx'
import { TopList } from './top-list.tsx'

/** An overview of the account; for a new account the steps to its first request. */
export function HomePage() {
  const account = useQuery(accountQuery)
  const keys = useQuery(keysQuery)
  const summary = useQuery(homeQueries.month)
  const may = useMay()
  const error = account.error ?? keys.error ?? summary.error
  if (account.data === undefined || keys.data === undefined || summary.data === undefined)
    return (
      <>
        <PageHeader title="Home" />
        {error === null ? <HomeSkeleton /> : <FailureNote error={error} onRetry={() => location.reload()} />}
      </>
    )
  const isNew = summary.data.total_requests === 0
  return (
    <>
      <PageHeader title="Home" description="All times are in UTC." />
      <Stack gap="lg">
        {isNew && may('keys:write') && <FirstSteps account={account.data} keys={keys.data.data} />}
        <CreditFigures account={account.data} />
        {!isNew && <Spending all={parseUsd(summary.data.total_cost_usd)} />}
      </Stack>
    </>
  )
}

/** @param all the total spend in pico-USD; tags overlap, so their sum would be wrong */
function Spending({ all }: { all: bigint }) {
  const models = useQuery(homeQueries.byModel)
  const tags = useQuery(homeQueries.byTag)
  return (
    <>
      <SpendByDay />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <TopList title="Models" by="model" query={models} nameless="none" all={all} />
        <TopList title="Tags" by="tag" query={tags} nameless="untagged" all={all} />
      </SimpleGrid>
      <RecentFailures />
    </>
  )
}

function HomeSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {['balance', 'rate', 'month', 'left'].map((name) => (
          <Skeleton key={name} height={126} radius="lg" />
        ))}
      </SimpleGrid>
      <Skeleton height={400} radius="lg" />
    </Stack>
  )
}
