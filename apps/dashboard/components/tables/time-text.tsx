import { Text } from '@mantine/core'
import { dateOf, relativeTo, timeOf } from '../../format/time.ts'

/** The day of a time; the time itself is in its title. */
export function DateText({ at }: { at: number }) {
  return (
    <Text size="sm" c="dimmed" component="span" title={timeOf(at)}>
      {dateOf(at)}
    </Text>
  )
}

/** How long ago it was; the time itself is in its title. Null: it never was. */
export function AgoText({ at }: { at: number | null }) {
  return (
    <Text size="sm" c="dimmed" component="span" title={at === null ? undefined : timeOf(at)}>
      {at === null ? 'never' : relativeTo(at, Date.now())}
    </Text>
  )
}
