import type { Screen } from './screen.ts'

const steps: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
]

/** Epoch seconds for people; into a pipe, as ISO 8601 in UTC. */
export function when(epochSeconds: number | null, { isTerminal, nowMs }: Screen, never = ''): string {
  if (epochSeconds === null) return never
  const date = new Date(epochSeconds * 1000)
  if (!isTerminal) return date.toISOString().replace('.000Z', 'Z')
  const seconds = Math.round(epochSeconds - nowMs / 1000)
  const step = steps.find(([limit]) => Math.abs(seconds) < limit)
  // Beyond a month, a date is more useful than a distance.
  if (step === undefined) return date.toISOString().slice(0, 10)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return format.format(Math.round(seconds / step[2]), step[1])
}
