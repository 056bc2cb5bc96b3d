import { useMemo } from 'react'
import { placesOf, type Places } from '../charts/places.ts'
import { daysBetween, lastDays } from '../format/time.ts'
import { defaultDays, type Range } from './usage-filters.ts'

/** The bars of a range. */
export function usePlaces({ days = defaultDays, from, to }: Range): Places {
  const [today = ''] = lastDays(1, Date.now())
  return useMemo(() => {
    const isFree = from !== undefined && to !== undefined
    return placesOf(isFree ? daysBetween(from, to) : lastDays(days, Date.parse(today)))
  }, [days, from, to, today])
}
