import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { burnDays } from '../../api/usage-queries.ts'
import { CreditLasts } from '../../components/credit-lasts.tsx'
import { Figure } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { parseUsd } from '../../format/money.ts'
import { countOf, shortNumber } from '../../format/number.ts'
import { homeDays } from './home-days.ts'
import { homeQueries } from './home-queries.ts'

/** The balance, how fast it falls, and how long it lasts. */
export function CreditFigures({ account }: { account: Schemas['Account'] }) {
  const { data: week } = useQuery(homeQueries.week)
  const { data: month } = useQuery(homeQueries.month)
  const daily = week && parseUsd(week.total_cost_usd) / BigInt(burnDays)
  const may = useMay()
  const waiting = parseUsd(account.unassigned_usd)
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'lg' }}>
      <Figure
        label="Balance"
        value={<Money amount={account.balance_usd} />}
        note={
          waiting > 0n ? (
            <>
              and <Money amount={waiting} /> unassigned
            </>
          ) : (
            may('billing:write') && <PageLink to="/credit">Add credit</PageLink>
          )
        }
      />
      <Figure
        label="Burn rate"
        value={daily === undefined ? undefined : <Money amount={daily} />}
        note={`per day, over the last ${burnDays} days`}
      />
      <CreditLasts account={account} />
      <Figure
        label={`Last ${homeDays} days`}
        value={month && <Money amount={month.total_cost_usd} />}
        note={month && volumeOf(month)}
      />
    </SimpleGrid>
  )
}

function volumeOf(totals: { total_requests: number; total_tokens_in: number; total_tokens_out: number }) {
  const tokens = shortNumber(totals.total_tokens_in + totals.total_tokens_out)
  return `${countOf(totals.total_requests, 'request')}, ${tokens} tokens`
}
