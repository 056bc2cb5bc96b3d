import { Badge, Group, Text } from '@mantine/core'

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <None />
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="default" tt="none" fw={500} radius="sm" maw={180}>
          {tag}
        </Badge>
      ))}
    </Group>
  )
}

/** The first tag, and the number of further ones: a column with all of them would be hard to read. */
export function TagLine({ tags: [first, ...others] }: { tags: readonly string[] }) {
  if (first === undefined) return <None />
  return (
    <Group gap={4} wrap="nowrap" title={[first, ...others].join(', ')}>
      <Text size="xs" truncate maw={112}>
        {first}
      </Text>
      {others.length > 0 && (
        <Text size="xs" c="dimmed">
          +{others.length}
        </Text>
      )}
    </Group>
  )
}

function None() {
  return (
    <Text size="sm" c="dimmed">
      –
    </Text>
  )
}
