import { Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { StateBadge } from '../components/state-badge.tsx'
import { duration } from '../format/number.ts'

type Provider = Schemas['ModelProvider']
type Measured = Schemas['MeasuredProvider']

/** Below these, in per cent, it is worth a second look. */
const good = 99
const fair = 95

export function ProviderState({ state }: Pick<Provider, 'state'>) {
  if (state === null) return <StateBadge color="gray">not asked yet</StateBadge>
  return state === 'working' ? (
    <StateBadge color="teal">working</StateBadge>
  ) : (
    <StateBadge color="orange">resting</StateBadge>
  )
}

/** Undefined where nothing is known. */
export function uptimeText({ uptime }: Pick<Measured, 'uptime'>): string | undefined {
  return uptime === null ? undefined : `${(uptime * 100).toFixed(uptime === 1 ? 0 : 1)} %`
}

export function Uptime({ measured }: { measured: Measured | null }) {
  const text = measured === null ? undefined : uptimeText(measured)
  if (text === undefined) return <Unknown />
  const percent = measured!.uptime! * 100
  const color = percent >= good ? 'teal' : percent >= fair ? 'yellow' : 'red'
  return <StateBadge color={color}>{text}</StateBadge>
}

/** The middle, and below it the slowest but one in twenty. */
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
