import { Badge, Group, Text } from '@mantine/core'

interface TagsProps {
  tags: string[]
  /** Absent: all of them. */
  atMost?: number
  isOneLine?: boolean
}

export function Tags({ tags, atMost = tags.length, isOneLine = false }: TagsProps) {
  if (tags.length === 0)
    return (
      <Text size="sm" c="dimmed">
        –
      </Text>
    )
  const hidden = tags.length - atMost
  return (
    <Group gap={4} wrap={isOneLine ? 'nowrap' : 'wrap'} title={hidden > 0 ? tags.join(', ') : undefined}>
      {tags.slice(0, atMost).map((tag) => (
        <Badge
          key={tag}
          variant="default"
          tt="none"
          fw={500}
          radius="sm"
          maw={180}
          style={isOneLine ? { flexShrink: 0, maxWidth: 130 } : undefined}
        >
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
