import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { burnDays, burnQuery } from '../api/usage-queries.ts'
import { parseUsd } from '../format/money.ts'
import { countOf } from '../format/number.ts'
import { Figure } from './figure.tsx'

/** How long the credit will last at the current rate. */
export function CreditLasts({ account }: { account: Schemas['Account'] | undefined }) {
  const { data: burnt, isError } = useQuery(burnQuery)
  const daily = burnt && parseUsd(burnt.total_cost_usd) / BigInt(burnDays)
  return (
    <Figure
      label="Credit lasts"
      isFailed={isError}
      value={
        account === undefined || daily === undefined
          ? undefined
          : daysLeft(parseUsd(account.balance_usd), daily)
      }
      note={daily === undefined || daily > 0n ? `at the rate of the last ${burnDays} days` : ''}
    />
  )
}

const farDays = 365n

function daysLeft(balance: bigint, daily: bigint): string {
  if (balance <= 0n) return 'no credit'
  if (daily <= 0n) return 'no spending'
  const days = balance / daily
  if (days > farDays) return 'over a year'
  return days < 1n ? 'less than a day' : countOf(Number(days), 'day')
}
