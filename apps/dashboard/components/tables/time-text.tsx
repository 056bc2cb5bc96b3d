import { Text } from '@mantine/core'
import { dateOf, relativeTo, timeOf } from '../../format/time.ts'

/** The day of a time; its title has the exact time. */
export function DateText({ at }: { at: number }) {
  return (
    <Text size="sm" c="dimmed" component="span" title={timeOf(at)}>
      {dateOf(at)}
    </Text>
  )
}

/** How long ago it was; its title has the exact time. Null: never. */
export function AgoText({ at }: { at: number | null }) {
  return (
    <Text size="sm" c="dimmed" component="span" title={at === null ? undefined : timeOf(at)}>
      {at === null ? 'never' : relativeTo(at, Date.now())}
    </Text>
  )
}
