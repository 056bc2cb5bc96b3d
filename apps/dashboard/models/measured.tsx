import { Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { StateBadge } from '../components/state-badge.tsx'
import { duration } from '../format/number.ts'
import { shortDayOf } from '../format/time.ts'
import classes from './measured.module.css'

type Provider = Schemas['ModelProvider']
type Measured = Schemas['MeasuredProvider']

/** Percentages: uptimes from `good` on are shown as good, from `fair` on as fair. */
const good = 99
const fair = 95

export function ProviderState({ state }: Pick<Provider, 'state'>) {
  if (state === null) return <StateBadge color="gray">not used yet</StateBadge>
  return state === 'working' ? (
    <StateBadge color="teal">working</StateBadge>
  ) : (
    <StateBadge color="orange">resting</StateBadge>
  )
}

/** Undefined if it was not measured. */
export function uptimeText({ uptime }: Pick<Measured, 'uptime'>): string | undefined {
  return uptime === null ? undefined : `${(uptime * 100).toFixed(uptime === 1 ? 0 : 1)} %`
}

export function Uptime({ measured }: { measured: Measured | null }) {
  const text = measured === null ? undefined : uptimeText(measured)
  if (text === undefined) return <Unknown />
  return <StateBadge color={shadeOf(measured!.uptime!)}>{text}</StateBadge>
}

/** A bar per day, the oldest first; a day without measurements is empty. */
export function UptimeByDay({ measured }: { measured: Measured | null }) {
  const days = measured?.uptime_by_day ?? []
  if (days.every(({ uptime }) => uptime === null)) return null
  const dayTexts = days.map((one) => `${shortDayOf(one.day)}: ${uptimeText(one) ?? 'not known'}`)
  return (
    <div className={classes.days} role="img" aria-label={`Uptime by day: ${dayTexts.join(', ')}`}>
      {days.map(({ day, uptime }, index) => (
        <span
          key={day}
          title={dayTexts[index]}
          className={classes.day}
          style={{ backgroundColor: uptime === null ? undefined : colorOf(uptime) }}
        />
      ))}
    </div>
  )
}

function colorOf(uptime: number): string {
  return `var(--mantine-color-${shadeOf(uptime)}-filled)`
}

function shadeOf(uptime: number): 'teal' | 'yellow' | 'red' {
  const percent = uptime * 100
  return percent >= good ? 'teal' : percent >= fair ? 'yellow' : 'red'
}

/** The median, and below it the 95th percentile. */
export function Times({ times }: { times: Measured['latency_ms'] | undefined }) {
  if (times === undefined || times.p50 === null) return <Unknown />
  return (
    <>
      <Text size="sm" component="span" className="one-line">
        {duration(times.p50)}
      </Text>
      {times.p95 !== null && (
        <Text size="xs" c="dimmed" className="one-line">
          95 %: {duration(times.p95)}
        </Text>
      )}
    </>
  )
}

export function Unknown() {
  return (
    <Text size="sm" c="dimmed" component="span">
      –
    </Text>
  )
}
