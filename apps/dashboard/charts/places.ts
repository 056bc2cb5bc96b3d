import { hoursOf, longDayOf, longHourOf, shortDayOf, shortHourOf } from '../format/time.ts'

/** The most days that can be told apart on a phone and drawn without a delay. */
const maxDays = 100
const dayMs = 86_400_000

/** The places along a chart's axis: days; weeks if there are too many days, hours if there is one. */
export interface Places {
  unit: 'hour' | 'day' | 'week'
  /** The first day (or hour) of each place, in order. */
  ats: string[]
  /** The place of a day or hour. */
  placeOf: (day: string) => string
  /** The full name of a place. */
  title: (at: string) => string
  /** The label below its bar. */
  name: (at: string) => string
  /** Label one of this many places. */
  nameEvery: number
}

/** Hours, labelled by their times if they are of one day, else by their days. */
export function hoursOfDays(days: readonly string[]): Places {
  const isOne = days.length === 1
  return {
    unit: 'hour',
    ats: days.flatMap(hoursOf),
    placeOf: (at) => at,
    title: longHourOf,
    name: isOne ? shortHourOf : shortDayOf,
    nameEvery: isOne ? 1 : 24,
  }
}

/** Days, however many: values that do not add up cannot be grouped into weeks. */
export function daysOf(days: readonly string[]): Places {
  return {
    unit: 'day',
    ats: [...days],
    placeOf: (at) => at,
    title: longDayOf,
    name: shortDayOf,
    nameEvery: 1,
  }
}

/** @param days all days of the range, in order: `2026-11-21` */
export function placesOf(days: readonly string[]): Places {
  if (days.length === 1) return hoursOfDays(days)
  if (days.length <= maxDays) return daysOf(days)
  const [first = '', last = ''] = [days[0], days.at(-1)]
  // The first and the last week may be cut by the range.
  const places = new Map(days.map((day) => [day, laterOf(mondayOf(day), first)]))
  return {
    unit: 'week',
    name: shortDayOf,
    nameEvery: 1,
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
export function mondayOf(day: string): string {
  const timeMs = Date.parse(day)
  return dayAt(timeMs - ((new Date(timeMs).getUTCDay() + 6) % 7) * dayMs)
}

function dayAt(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

function laterOf(left: string, right: string): string {
  return left > right ? left : right
}
