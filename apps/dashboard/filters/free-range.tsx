import '@mantine/dates/styles.css'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '../icons/icons.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { lastDays } from '../format/time.ts'
import { maxDays, type Range } from './usage-filters.ts'

/** Labels of the arrows at each level of the calendar. */
const arrows = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
}

type Days = [string | null, string | null]

export interface FreeRangeProps {
  shown: Days
  onChange: (range: Range) => void
}

/** Any two days, in a calendar that opens as soon as its code is loaded. */
export default function FreeRange({ shown, onChange }: FreeRangeProps): ReactNode {
  const [chosen, setChosen] = useState<Days>(shown)
  const field = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.click()
  }, [])
  const [first] = chosen
  const today = lastDays(1, Date.now())[0]
  return (
    <DatePickerInput
      ref={field}
      type="range"
      placeholder="From – to, UTC"
      ariaLabels={arrows}
      hideOutsideDates
      // With the role of a dialog it would lack a name.
      popoverProps={{ withRoles: false, portalProps: { target: '#page' } }}
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

/** Dates as texts sort by time. */
function earlier(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return left < right ? left : right
}
