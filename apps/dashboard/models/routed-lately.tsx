import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { breakdownQuery, nameOf } from '../api/usage-queries.ts'
import { Money } from '../components/money.tsx'
import { sumUsd } from '../format/money.ts'
import { countOf } from '../format/number.ts'

const lately = 30
const million = 1_000_000n

/** What auto-routing recently cost this account: its price depends on the requests. */
export function RoutedLately() {
  const { data } = useQuery(breakdownQuery({ days: lately, by: ['tier'] }))
  const routed = data?.data.filter((group) => nameOf(group) !== null) ?? []
  const requests = routed.reduce((sum, { total_requests: count }) => sum + count, 0)
  const tokens = routed.reduce((sum, group) => sum + group.total_tokens_in + group.total_tokens_out, 0)
  if (requests === 0 || tokens === 0) return null
  const cost = sumUsd(routed.map(({ total_cost_usd: one }) => one))
  return (
    <Text size="xs" c="dimmed">
      lately <Money amount={(cost * million) / BigInt(tokens)} /> per million tokens, input and output:{' '}
      {countOf(requests, 'request')} of yours in {lately} days
    </Text>
  )
}
