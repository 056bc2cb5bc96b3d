import { Divider, Group, Paper, Text } from '@mantine/core'
import { Swatch } from '../../charts/swatch.tsx'
import { shortUsd } from '../../format/money.ts'
import { longDayOf } from '../../format/time.ts'
import { marginOf, percentText, type Earned } from './margin.ts'

/** A day's revenue and what became of it. */
export function MarginTooltip({ day, earned }: { day: string; earned: Earned }) {
  const margin = marginOf(earned)
  const unknown = earned.revenue - earned.costed
  return (
    <Paper withBorder shadow="md" p="sm" radius="md" miw={230}>
      <Line name={longDayOf(day)} value={shortUsd(earned.revenue)} isHead />
      <Divider my={6} />
      {margin !== undefined && (
        <>
          <Line name="Vendor cost" value={shortUsd(earned.vendorCost)} color="var(--chart-2)" />
          <Line
            name={`Margin, ${percentText(margin)}`}
            value={shortUsd(margin.amount)}
            color={margin.amount < 0n ? 'var(--chart-6)' : 'var(--chart-1)'}
          />
        </>
      )}
      {unknown > 0n && <Line name="Of unknown cost" value={shortUsd(unknown)} color="var(--chart-rest)" />}
    </Paper>
  )
}

interface LineProps {
  name: string
  value: string
  isHead?: boolean
  color?: string
}

function Line({ name, value, isHead = false, color }: LineProps) {
  return (
    <Group justify="space-between" gap="xl" wrap="nowrap">
      <Group gap={8} wrap="nowrap">
        {color !== undefined && <Swatch color={color} />}
        <Text size="sm" {...(isHead ? { fw: 600 } : { c: 'dimmed' })}>
          {name}
        </Text>
      </Group>
      <Text size="sm" className="figures" {...(isHead && { fw: 600 })}>
        {value}
      </Text>
    </Group>
  )
}
