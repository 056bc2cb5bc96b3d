import { InputBase } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../components/lazy-part.tsx'
import { dateOf } from '../format/time.ts'
import { IconCalendar } from '../icons/icons.ts'
import type { FreeRangeProps } from './free-range.tsx'

const load = () => import('./free-range.tsx')
const FreeRange = lazyPart(load)

/**
 * A field for two days. The calendar is a tenth of a page's code, so it is loaded when the user opens it.
 */
export function FreeRangeField({ shown, onChange }: FreeRangeProps) {
  const days = shown.join()
  /** The days shown when the calendar was opened. Once they differ, the calendar closes. */
  const [openedAt, setOpenedAt] = useState<string>()
  const isOpen = openedAt === days
  const field = useRef<HTMLButtonElement>(null)
  const wasChosen = useRef(false)
  useEffect(() => {
    if (isOpen || !wasChosen.current) return
    // The field replaces the calendar, which had the focus, so it gets the focus.
    wasChosen.current = false
    field.current?.focus()
  }, [isOpen])
  const light = <LightField shown={shown} isComing={isOpen} ref={field} onOpen={() => setOpenedAt(days)} />
  if (!isOpen) return light
  return (
    <Suspense fallback={light}>
      <FreeRange
        shown={shown}
        onChange={(range) => {
          wasChosen.current = true
          setOpenedAt(undefined)
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

/** Looks like the calendar's own field. */
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
      styles={{ input: from === null ? { color: 'var(--mantine-color-placeholder)' } : {} }}
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
