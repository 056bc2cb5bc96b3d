import { Text } from '@mantine/core'
import { costOf, type Breakdown } from '../../api/usage-queries.ts'
import { parseUsd, shortUsd } from '../../format/money.ts'

interface TagRuleProps {
  found: Breakdown | undefined
  total: { total_cost_usd: string } | undefined
  isCrossed: boolean
}

/** Why tags may add up to more than there was. */
export function TagRule({ found, total, isCrossed }: TagRuleProps) {
  const sum = found && costOf(found)
  const exceeds = sum !== undefined && total !== undefined && sum > parseUsd(total.total_cost_usd)
  return (
    <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
      A request counts toward each of its tags{isCrossed ? '' : '; those without any are one row'}.
      {exceeds && ` So these add up to ${shortUsd(sum)}, while ${shortUsd(total.total_cost_usd)} were spent.`}
    </Text>
  )
}
