import { Badge, Group, Text } from '@mantine/core'

/** @param atMost absent: all of them */
export function Tags({ tags, atMost = tags.length }: { tags: string[]; atMost?: number }) {
  if (tags.length === 0)
    return (
      <Text size="sm" c="dimmed">
        –
      </Text>
    )
  const hidden = tags.length - atMost
  return (
    <Group gap={4} title={hidden > 0 ? tags.join(', ') : undefined}>
      {tags.slice(0, atMost).map((tag) => (
        <Badge key={tag} variant="default" tt="none" fw={500} radius="sm" maw={180}>
          {tag}
        </Badge>
      ))}
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          +{hidden}
        </Text>
      )}
    </Group>
  )
}
