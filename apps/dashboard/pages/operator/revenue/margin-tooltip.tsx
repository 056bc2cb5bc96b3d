import { Tooltip, TooltipLine } from '../../../charts/tooltip.tsx'
import { shortUsd } from '../../../format/money.ts'
import { longDayOf } from '../../../format/time.ts'
import { marginOf, percentText, type Earned } from './margin.ts'

/** A day's revenue and its parts. */
export function MarginTooltip({ day, earned }: { day: string; earned: Earned }) {
  const margin = marginOf(earned)
  const unknown = earned.revenue - earned.costed
  return (
    <Tooltip title={longDayOf(day)} total={shortUsd(earned.revenue)}>
      {margin !== undefined && (
        <>
          <TooltipLine name="Vendor cost" value={shortUsd(earned.vendorCost)} color="var(--chart-2)" />
          <TooltipLine
            name={`Margin, ${percentText(margin)}`}
            value={shortUsd(margin.amount)}
            color={margin.amount < 0n ? 'var(--chart-6)' : 'var(--chart-1)'}
          />
        </>
      )}
      {unknown > 0n && (
        <TooltipLine name="Unknown cost" value={shortUsd(unknown)} color="var(--chart-rest)" />
      )}
    </Tooltip>
  )
}
