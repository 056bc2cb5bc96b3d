import { Text } from '@mantine/core'

/** Explains why rows by tag may add up to more than the total. */
export function TagRule() {
  return (
    <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
      A request counts for each of its tags, so tags overlap. The totals count each request once.
    </Text>
  )
}
