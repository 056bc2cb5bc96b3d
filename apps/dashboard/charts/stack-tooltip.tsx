import type { Stack } from './stack.ts'
import { Tooltip, TooltipLine } from './tooltip.tsx'

interface StackTooltipProps {
  title: string
  row: Stack['rows'][number]
  stack: Stack
  format: (value: bigint) => string
}

/** Lists the parts of a bar, the largest first, if it has several. */
export function StackTooltip({ title, row, stack, format }: StackTooltipProps) {
  const parts = stack.series
    .map((series, index) => ({ ...series, value: row.values[index] ?? 0n }))
    .filter(({ value }) => value !== 0n)
  return (
    <Tooltip title={title} total={format(row.total)}>
      {parts.length > 1 &&
        parts.map(({ key, name, color, value }) => (
          <TooltipLine key={key} name={name} color={color} value={format(value)} />
        ))}
    </Tooltip>
  )
}
