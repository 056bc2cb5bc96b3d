import { hoursOf, longDayOf, longHourOf, shortDayOf, shortHourOf } from '../format/time.ts'

/** As many days as are told apart on a phone, and drawn without being felt. */
const maxDays = 100
const dayMs = 86_400_000

/** The places along a chart's axis: days; weeks where days would be too many, hours where there is one. */
export interface Places {
  unit: 'hour' | 'day' | 'week'
  /** First days, in order. */
  ats: string[]
  /** Where a day, or an hour, belongs. */
  placeOf: (day: string) => string
  /** In words, in full. */
  title: (at: string) => string
  /** Below its bar. */
  name: (at: string) => string
}

/** @param days all of the range, in order: `2026-11-21` */
export function placesOf(days: readonly string[]): Places {
  const itself = (at: string): string => at
  if (days.length === 1)
    return { unit: 'hour', ats: hoursOf(days[0]!), placeOf: itself, title: longHourOf, name: shortHourOf }
  if (days.length <= maxDays)
    return { unit: 'day', ats: [...days], placeOf: itself, title: longDayOf, name: shortDayOf }
  const [first = '', last = ''] = [days[0], days.at(-1)]
  // The first and the last week have only those of their days that are in the range.
  const places = new Map(days.map((day) => [day, laterOf(mondayOf(day), first)]))
  return {
    unit: 'week',
    name: shortDayOf,
    ats: [...new Set(places.values())],
    placeOf: (day) => places.get(day) ?? day,
    title: (at) => {
      const sunday = dayAt(Date.parse(mondayOf(at)) + 6 * dayMs)
      const end = sunday < last ? sunday : last
      return end === at ? longDayOf(at) : `${shortDayOf(at)} – ${longDayOf(end)}`
    },
  }
}

/** Weeks begin on Mondays (ISO 8601). */
function mondayOf(day: string): string {
  const timeMs = Date.parse(day)
  return dayAt(timeMs - ((new Date(timeMs).getUTCDay() + 6) % 7) * dayMs)
}

function dayAt(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

function laterOf(left: string, right: string): string {
  return left > right ? left : right
}
