import { Group, Text } from '@mantine/core'
import type { Stack } from './stack.ts'
import classes from './legend.module.css'
import { Swatch } from './swatch.tsx'

export function Legend({ stack, format }: { stack: Stack; format: (value: bigint) => string }) {
  return (
    <ul className={classes.legend}>
      {stack.series.map(({ key, name, color, total }) => (
        <Group key={key} gap={8} wrap="nowrap" component="li" maw="100%">
          <Swatch color={color} />
          <Text size="sm" truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" className="figures">
            {format(total)}
          </Text>
        </Group>
      ))}
    </ul>
  )
}
