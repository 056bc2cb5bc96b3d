import '@mantine/dates/styles.css'
import { Group, SegmentedControl } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '../icons/icons.ts'
import { useState } from 'react'
import { lastDays } from '../format/time.ts'
import { defaultDays, maxDays, type UsageFilters } from './usage-filters.ts'

type Range = Pick<UsageFilters, 'days' | 'from' | 'to'>

interface RangeFilterProps {
  range: Range
  onChange: (range: Range) => void
}

const presets = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 d' },
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: String(maxDays), label: '1 y' },
]

/** The last so many days, or any two days at most a year apart. */
export function RangeFilter({ range, onChange }: RangeFilterProps) {
  const { days = defaultDays, from, to } = range
  const isFree = from !== undefined
  const shown = isFree ? '' : String(days)
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Range"
        value={shown}
        data={presets}
        onChange={(value) => onChange({ days: Number(value) })}
      />
      <FreeRange
        key={`${from} ${to} ${days}`}
        shown={isFree && to !== undefined ? [from, to] : [null, null]}
        onChange={onChange}
      />
    </Group>
  )
}

type Days = [string | null, string | null]

function FreeRange({ shown, onChange }: { shown: Days; onChange: (range: Range) => void }) {
  const [chosen, setChosen] = useState<Days>(shown)
  const [first] = chosen
  const today = lastDays(1, Date.now())[0]
  return (
    <DatePickerInput
      type="range"
      placeholder="From – to, UTC"
      valueFormat="D MMM YYYY"
      leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden />}
      allowSingleDateInRange
      weekendDays={[]}
      miw={190}
      maxDate={earlier(today, first === null ? undefined : plusDays(first, maxDays - 1))}
      value={chosen}
      onChange={([from, to]) => {
        setChosen([from, to])
        if (from !== null && to !== null) onChange({ from, to })
      }}
    />
  )
}

function plusDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
}

/** Days as texts are in the order of time. */
function earlier(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return left < right ? left : right
}
