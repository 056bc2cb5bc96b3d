/*
 * All times are shown in UTC and say so: days of usage begin at midnight UTC, and two people who look at
 * one request must see the same time.
 */

const dayMs = 86_400_000
const hourMs = 3_600_000
const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Unix epoch seconds as `21 Nov 2026, 17:46 UTC`. */
export function timeOf(seconds: number): string {
  return `${dateTime.format(seconds * 1000)} UTC`
}

/** The same with seconds. */
export function exactTimeOf(seconds: number): string {
  return `${exact.format(seconds * 1000)} UTC`
}

export function dateOf(seconds: number): string {
  return date.format(seconds * 1000)
}

/** `2026-11-21` as `21 Nov`. */
export function shortDayOf(day: string): string {
  return shortDay.format(Date.parse(day))
}

/** `2026-11-21` as `21 Nov 2026`. */
export function longDayOf(day: string): string {
  return date.format(Date.parse(day))
}

/** `2026-11-21T07:00Z` as `07:00`. */
export function shortHourOf(hour: string): string {
  return hour.slice('2026-11-21T'.length, -1)
}

/** `2026-11-21T07:00Z` as `21 Nov 2026, 07:00 – 08:00`. */
export function longHourOf(hour: string): string {
  const end = new Date(Date.parse(hour) + hourMs)
    .toISOString()
    .slice('2026-11-21T'.length, -':00.000Z'.length)
  return `${date.format(Date.parse(hour))}, ${shortHourOf(hour)} – ${end}`
}

/** The hours of a day in the API's format: `2026-11-21T00:00Z` to `2026-11-21T23:00Z`. */
export function hoursOf(day: string): string[] {
  return Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00Z`)
}

/** Unix epoch seconds as `09:52` if that is today, else with the day. */
export function clockTimeOf(seconds: number, nowMs: number): string {
  const isToday = Math.floor((seconds * 1000) / dayMs) === Math.floor(nowMs / dayMs)
  const text = new Date(seconds * 1000).toISOString()
  const clock = text.slice('2026-11-21T'.length, '2026-11-21T07:00'.length)
  return isToday ? `${clock} UTC` : `${shortDayOf(text.slice(0, 10))}, ${clock} UTC`
}

/** `3 hours ago`, `in 2 days` */
export function relativeTo(seconds: number, nowMs: number): string {
  const difference = seconds * 1000 - nowMs
  const size = Math.abs(difference)
  if (size < 60_000) return 'just now'
  if (size < 3_600_000) return ago.format(Math.round(difference / 60_000), 'minute')
  if (size < dayMs) return ago.format(Math.round(difference / 3_600_000), 'hour')
  return ago.format(Math.round(difference / dayMs), 'day')
}

/** The last days in the API's format, including today: `2026-11-21`, oldest first. */
export function lastDays(count: number, nowMs: number): string[] {
  const today = Math.floor(nowMs / dayMs)
  return Array.from({ length: count }, (_, index) =>
    new Date((today - count + 1 + index) * dayMs).toISOString().slice(0, 10),
  )
}

/** A time a number of days from now, in Unix epoch seconds. */
export function secondsFromNow(days: number, nowMs: number): number {
  return Math.floor(nowMs / 1000) + days * 86_400
}

/** Every day from the first to the last. */
export function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return lastDays(Math.max(0, count), Date.parse(to))
}

const shortTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
})

/** `21 Nov, 17:46:30`, for use below a heading that says UTC. */
export function shortTimeOf(seconds: number): string {
  return shortTime.format(seconds * 1000)
}
