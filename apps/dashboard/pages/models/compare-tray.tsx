import { Button, Group, Paper, Pill, Text } from '@mantine/core'
import { PageButton } from '../../components/page-link.tsx'
import { countOf } from '../../format/number.ts'
import classes from './compare-tray.module.css'

interface CompareTrayProps {
  /** Model IDs. */
  picked: readonly string[]
  onRemove: (id: string) => void
  onClear: () => void
}

/** The models picked for comparison; it stays visible while the user looks for more. */
export function CompareTray({ picked, onRemove, onClear }: CompareTrayProps) {
  if (picked.length === 0) return null
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={classes.tray}
      role="region"
      aria-label="Selected for comparison"
    >
      <Group justify="space-between" gap="sm">
        <Group gap={6} flex="1 1 200px">
          {picked.map((id) => (
            <Pill
              key={id}
              withRemoveButton
              onRemove={() => onRemove(id)}
              removeButtonProps={{ 'aria-label': `Remove ${id}`, 'aria-hidden': false, tabIndex: 0 }}
            >
              {id}
            </Pill>
          ))}
        </Group>
        <Group gap="xs">
          <Button variant="subtle" color="gray" size="sm" onClick={onClear}>
            Clear
          </Button>
          {picked.length < 2 ? (
            <Text size="sm" c="dimmed">
              Select another one
            </Text>
          ) : (
            <PageButton to="/compare" search={{ models: [...picked] }} size="sm">
              Compare {countOf(picked.length, 'model')}
            </PageButton>
          )}
        </Group>
      </Group>
    </Paper>
  )
}
