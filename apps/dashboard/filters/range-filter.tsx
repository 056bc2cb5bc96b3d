import { Group, SegmentedControl } from '@mantine/core'
import { FreeRangeField } from './free-range-field.tsx'
import { defaultDays, maxDays, type Range } from './usage-filters.ts'

interface RangeFilterProps {
  range: Range
  /** Without a range, everything is shown. */
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

/** The last few days, or any two days at most a year apart. */
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
      <FreeRangeField shown={isFree && to !== undefined ? [from, to] : [null, null]} onChange={onChange} />
    </Group>
  )
}
