import { Group, SegmentedControl, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { defaultDays, maxDays, type UsageFilters } from './usage-filters.ts'

export type Range = Pick<UsageFilters, 'days' | 'from' | 'to'>

/** The calendar is a tenth of the page's code, and comes behind it; the presets do without it. */
const FreeRange = lazy(() => import('./free-range.tsx').catch(() => ({ default: () => null })))

interface RangeFilterProps {
  range: Range
  /** Without a range, all that there is is shown. */
  isOptional?: boolean
  onChange: (range: Range) => void
}

const presets = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: String(maxDays), label: '1 y' },
]

const everything = { value: 'all', label: 'All' }

/** The last so many days, or any two days at most a year apart. */
export function RangeFilter({ range, isOptional = false, onChange }: RangeFilterProps) {
  const { days = isOptional ? undefined : defaultDays, from, to } = range
  const isFree = from !== undefined
  const shown = isFree ? '' : String(days ?? everything.value)
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Range"
        value={shown}
        data={isOptional ? [...presets, everything] : presets}
        onChange={(value) => onChange(value === everything.value ? {} : { days: Number(value) })}
      />
      <Suspense fallback={<Skeleton width={190} height={36} />}>
        <FreeRange
          key={`${from} ${to} ${days}`}
          shown={isFree && to !== undefined ? [from, to] : [null, null]}
          onChange={onChange}
        />
      </Suspense>
    </Group>
  )
}
