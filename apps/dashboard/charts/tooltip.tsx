import { Divider, Group, Paper, Text } from '@mantine/core'
import { Children, type ReactNode } from 'react'
import { Swatch } from './swatch.tsx'

interface TooltipProps {
  title: string
  /** Absent if the lines do not add up. */
  total?: string
  /** Lines; none if the total is enough. */
  children: ReactNode
}

/** The tooltip of a bar: its place, its sum, and the parts of the sum. */
export function Tooltip({ title, total, children }: TooltipProps) {
  return (
    <Paper withBorder shadow="md" p="sm" radius="md" miw={220}>
      <Group justify="space-between" gap="xl" wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {total !== undefined && (
          <Text size="sm" fw={600} className="figures">
            {total}
          </Text>
        )}
      </Group>
      {Children.toArray(children).length > 0 && <Divider my={6} />}
      {children}
    </Paper>
  )
}

interface TooltipLineProps {
  name: string
  value: string
  color: string
}

export function TooltipLine({ name, value, color }: TooltipLineProps) {
  return (
    <Group justify="space-between" gap="xl" wrap="nowrap">
      <Group gap={8} wrap="nowrap">
        <Swatch color={color} />
        <Text size="sm" c="dimmed">
          {name}
        </Text>
      </Group>
      <Text size="sm" className="figures">
        {value}
      </Text>
    </Group>
  )
}
