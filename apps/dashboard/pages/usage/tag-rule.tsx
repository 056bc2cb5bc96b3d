import { Text } from '@mantine/core'

/** Why rows by tag may add up to more than there was. */
export function TagRule() {
  return (
    <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
      A request counts for each of its tags, so tags overlap. The totals count each request once.
    </Text>
  )
}
