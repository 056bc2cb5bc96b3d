import { decimalUnits, dollars, groupDigits, type UsageBreakdown, type UsageGroup } from '@turnpike/api'
import { bar } from '../../terminal/bar.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { Column } from '../../terminal/table.ts'

const barWidth = 20

/** The total of all groups after the page, as a row, so that each column adds up. */
export function othersRow({ by, others }: UsageBreakdown): UsageGroup | undefined {
  if (others === null) return undefined
  return { group: by.map((_, index) => (index === 0 ? '(others)' : '')), ...others }
}

/**
 * The columns of a breakdown: one for each dimension, the totals, and on a terminal a bar.
 * @param others the row without a bar, since it is not a group
 */
export function groupColumns(
  { by, data }: UsageBreakdown,
  screen: Screen,
  others: UsageGroup | undefined,
): Column<UsageGroup>[] {
  const dearest = data.reduce((most, row) => max(most, decimalUnits(row.total_cost_usd)), 0n)
  const groups = by.map((dimension, index): Column<UsageGroup> => {
    const text = ({ group }: UsageGroup): string => [group].flat()[index] ?? `(no ${dimension})`
    const field = index === 0 ? 'group' : `group.${index}`
    return { field, title: dimension.toUpperCase(), text, paint: (shown, _, { bold }) => bold(shown) }
  })
  const number = (field: keyof UsageGroup, title: string): Column<UsageGroup> => ({
    field,
    title,
    align: 'right',
    text: (row, { isTerminal }) => (isTerminal ? groupDigits(String(row[field])) : String(row[field])),
    narrow: 'drop',
  })
  const chart: Column<UsageGroup> = {
    field: 'chart',
    title: '',
    text: (row) => (row === others ? '' : bar(share(decimalUnits(row.total_cost_usd), dearest), barWidth)),
    paint: (text, _, { cyan }) => cyan(text),
    narrow: 'drop',
  }
  return [
    ...groups,
    {
      field: 'total_cost_usd',
      title: 'COST',
      align: 'right',
      text: ({ total_cost_usd: cost }, { isTerminal }) => (isTerminal ? dollars(cost) : cost),
      narrow: 'keep',
    },
    number('total_requests', 'REQUESTS'),
    number('total_tokens_in', 'TOKENS IN'),
    number('total_tokens_out', 'TOKENS OUT'),
    ...(screen.isTerminal ? [chart] : []),
  ]
}

export function share(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
