import { InputBase } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { dateOf } from '../format/time.ts'
import { IconCalendar } from '../icons/icons.ts'
import type { FreeRangeProps } from './free-range.tsx'

const load = () => import('./free-range.tsx')
const FreeRange = lazy(() => load().catch(() => ({ default: () => null })))

/** The two days that are chosen. The calendar is a tenth of a page's code: it comes for whoever wants it. */
export function FreeRangeField({ shown, onChange }: FreeRangeProps) {
  const [isWanted, setWanted] = useState(false)
  const field = useRef<HTMLButtonElement>(null)
  const wasWanted = useRef(false)
  useEffect(() => {
    // What was chosen is said in the place of the calendar, which had the focus.
    if (wasWanted.current && !isWanted) field.current?.focus()
    wasWanted.current = isWanted
  }, [isWanted])
  const light = <LightField shown={shown} isComing={isWanted} ref={field} onOpen={() => setWanted(true)} />
  if (!isWanted) return light
  return (
    <Suspense fallback={light}>
      <FreeRange
        shown={shown}
        onChange={(range) => {
          setWanted(false)
          onChange(range)
        }}
      />
    </Suspense>
  )
}

interface LightFieldProps {
  shown: FreeRangeProps['shown']
  isComing: boolean
  ref: React.Ref<HTMLButtonElement>
  onOpen: () => void
}

/** As the calendar's own field. */
function LightField({ shown: [from, to], isComing, ref, onOpen }: LightFieldProps) {
  const ahead = () => void load().catch(() => undefined)
  return (
    <InputBase
      component="button"
      type="button"
      pointer
      ref={ref}
      aria-haspopup="dialog"
      aria-busy={isComing}
      leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden />}
      miw={190}
      c={from === null ? 'var(--mantine-color-placeholder)' : undefined}
      onPointerEnter={ahead}
      onClick={onOpen}
    >
      {from === null || to === null ? 'From – to, UTC' : `${dayName(from)} – ${dayName(to)}`}
    </InputBase>
  )
}

function dayName(day: string): string {
  return dateOf(Date.parse(day) / 1000)
}
