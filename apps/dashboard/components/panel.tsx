import { Group, Paper, Text, Title, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelProps extends PaperProps {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  /** Pads the heading if the panel itself has no padding, as around a table. */
  isHeadPadded?: boolean
  children: ReactNode
}

/** A part of a page, with its own heading. */
export function Panel(props: PanelProps) {
  const { title, description, actions, isHeadPadded = false, children, ...paper } = props
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} {...paper}>
      {title !== undefined && (
        <Group
          justify="space-between"
          align="flex-start"
          mb="md"
          gap="xs"
          {...(isHeadPadded && { px: { base: 'md', sm: 'lg' }, pt: { base: 'md', sm: 'lg' } })}
        >
          <div>
            <Title order={2} size="h5">
              {title}
            </Title>
            {description !== undefined && (
              <Text size="sm" c="dimmed" mt={2}>
                {description}
              </Text>
            )}
          </div>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  )
}
