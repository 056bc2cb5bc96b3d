import { Group, Text } from '@mantine/core'
import classes from './legend.module.css'
import type { Stack } from './stack.ts'
import { Swatch } from './swatch.tsx'

export interface LegendEntry {
  key: string
  name: string
  color: string
  /** For the whole range. */
  value: string
}

export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className={classes.legend}>
      {entries.map(({ key, name, color, value }) => (
        <Group key={key} gap={8} wrap="nowrap" component="li" maw="100%">
          <Swatch color={color} />
          <Text size="sm" truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" className="figures">
            {value}
          </Text>
        </Group>
      ))}
    </ul>
  )
}

export function stackLegend({ series }: Stack, format: (value: bigint) => string): LegendEntry[] {
  return series.map(({ key, name, color, total }) => ({ key, name, color, value: format(total) }))
}
