import { Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  /** The page's actions. */
  children?: ReactNode
}

export function PageHeader({ title, description, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Turnpike`
  }, [title])
  return (
    <Group component="header" justify="space-between" align="flex-end" mb="lg" gap="md">
      <div style={{ minWidth: 0, maxWidth: '100%' }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" mt={4} maw={640}>
            {description}
          </Text>
        )}
      </div>
      {children}
    </Group>
  )
}
