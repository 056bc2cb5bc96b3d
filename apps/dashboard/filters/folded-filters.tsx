import { Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { IconFilter } from '../icons/icons.ts'
import classes from './filter-fields.module.css'

interface FoldedFiltersProps {
  /** The number of active filters. */
  count: number
  onClear: () => void
  children: ReactNode
}

/** A row of fields; on a phone behind a button, because they would fill the first screen. */
export function FoldedFilters({ count, onClear, children }: FoldedFiltersProps) {
  const [isOpen, setOpen] = useState(count > 0)
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconFilter size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <Group gap="sm" align="flex-start" className={classes.fields} data-open={isOpen || undefined}>
        {children}
        {count > 0 && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
    </>
  )
}
