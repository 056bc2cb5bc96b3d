import { Group, SegmentedControl, Text } from '@mantine/core'
import { mayBeHours, unitOf, type HealthUnit, type HealthView } from './health-search.ts'

interface UnitChoiceProps {
  view: HealthView
  onChange: (unit: HealthUnit) => void
}

/** Chooses hours or days; not rendered if only days are possible. */
export function UnitChoice({ view, onChange }: UnitChoiceProps) {
  if (!mayBeHours(view)) return null
  return (
    <Group gap="sm" mb={-8}>
      <Text size="sm" c="dimmed" id="unit-of-series">
        Series
      </Text>
      <SegmentedControl
        size="xs"
        aria-labelledby="unit-of-series"
        value={unitOf(view)}
        data={[
          { value: 'hour', label: 'by hour' },
          { value: 'day', label: 'by day' },
        ]}
        onChange={onChange}
      />
    </Group>
  )
}
