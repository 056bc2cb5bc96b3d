import { SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useMay } from '../../api/permissions.ts'
import { accountQuery, keysQuery } from '../../api/queries.ts'
import { CreditLasts } from '../../components/credit-lasts.tsx'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { countOf } from '../../format/number.ts'
import { CheckoutFollowed } from './checkout-followed.tsx'
import { TopupForm } from './topup-form.tsx'
import { Topups } from './topups.tsx'

const Ledger = lazyPart(() => import('./ledger.tsx'))
const AutoTopup = lazyPart(() => import('./auto/auto-topup.tsx'))

const route = getRouteApi('/credit')

/** The available credit, ways to add more, and every movement. */
export function CreditPage() {
  const { show = 'topups', session } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: account, isError } = useQuery(accountQuery)
  const { data: keys } = useQuery(keysQuery)
  const [isTabOpen, setTabOpen] = useState<boolean>()
  const may = useMay()
  const active = keys?.data.filter(({ status }) => status === 'active') ?? []
  return (
    <>
      <PageHeader
        title="Credit"
        description="Requests are paid from credit. Keys spend the credit of the account, or their own."
      />
      <Stack gap="lg">
        {session !== undefined && <CheckoutFollowed sessionId={session} isOpen={isTabOpen} />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <SimpleGrid cols={{ base: 2, md: 1 }} spacing={{ base: 'sm', md: 'lg' }}>
            <Figure
              label="Balance"
              isFailed={isError}
              value={account && <Money amount={account.balance_usd} />}
              note={
                account &&
                keys &&
                `exactly ${exactUsd(account.balance_usd)}, for ${countOf(active.length, 'active key')}`
              }
            />
            {account !== undefined && parseUsd(account.unassigned_usd) > 0n ? (
              <Figure
                label="Unassigned"
                value={<Money amount={account.unassigned_usd} />}
                note="goes to the next key you create"
              />
            ) : (
              <CreditLasts account={account} />
            )}
          </SimpleGrid>
          {may('billing:write') && <TopupForm keys={active} onOpened={setTabOpen} />}
        </SimpleGrid>
        <SegmentedControl
          aria-label="Type of list"
          w="fit-content"
          value={show}
          data={[
            { value: 'topups', label: 'Top-ups' },
            { value: 'ledger', label: 'All transactions' },
            { value: 'automatic', label: 'Automatic' },
          ]}
          onChange={(value) => void navigate({ search: { show: value }, replace: true, resetScroll: false })}
        />
        {show === 'topups' && <Topups />}
        {show === 'ledger' && (
          <Suspense fallback={<Skeleton height={320} radius="lg" />}>
            <Ledger keys={keys?.data ?? []} />
          </Suspense>
        )}
        {show === 'automatic' && (
          <Suspense fallback={<Skeleton height={320} radius="lg" />}>
            <AutoTopup />
          </Suspense>
        )}
      </Stack>
    </>
  )
}
