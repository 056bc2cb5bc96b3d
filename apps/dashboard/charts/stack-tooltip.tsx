import { Divider, Group, Paper, Text } from '@mantine/core'
import type { Stack } from './stack.ts'
import { Swatch } from './swatch.tsx'

interface StackTooltipProps {
  title: string
  row: Stack['rows'][number]
  stack: Stack
  format: (value: bigint) => string
}

/** A bar in words: its parts, the largest first, and their sum. */
export function StackTooltip({ title, row, stack, format }: StackTooltipProps) {
  const parts = stack.series
    .map((series, index) => ({ ...series, value: row.values[index] ?? 0n }))
    .filter(({ value }) => value !== 0n)
  return (
    <Paper withBorder shadow="md" p="sm" radius="md" miw={200}>
      <Group justify="space-between" gap="xl">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" fw={600} className="figures">
          {format(row.total)}
        </Text>
      </Group>
      {parts.length > 1 && <Divider my={6} />}
      {parts.length > 1 &&
        parts.map(({ key, name, color, value }) => (
          <Group key={key} justify="space-between" gap="xl" wrap="nowrap">
            <Group gap={8} wrap="nowrap">
              <Swatch color={color} />
              <Text size="sm" c="dimmed">
                {name}
              </Text>
            </Group>
            <Text size="sm" className="figures">
              {format(value)}
            </Text>
          </Group>
        ))}
    </Paper>
  )
}
