import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import classes from './filter-fields.module.css'
import type { UsageFilters } from './usage-filters.ts'
import { useFound } from './use-found.ts'

const maxTags = 20

interface TagsFieldProps {
  filters: UsageFilters
  onChange: (filters: UsageFilters) => void
  isOfHealth: boolean
  /** It stands in the place of one that had the focus. */
  takesFocus: boolean
}

/** Of all tags; of health one at a time. */
export default function TagsField({ filters, onChange, isOfHealth, takesFocus }: TagsFieldProps) {
  const [isWanted, setWanted] = useState(false)
  const found = useFound('tag', filters, isWanted)
  return (
    <TagsInput
      autoFocus={takesFocus}
      aria-label="Tags"
      placeholder={filters.tag === undefined ? 'Tags' : ''}
      className={classes.tags}
      clearable
      maxTags={isOfHealth ? 1 : maxTags}
      data={found ?? []}
      value={filters.tag ?? []}
      onDropdownOpen={() => setWanted(true)}
      onChange={(tag) => onChange({ ...filters, tag: tag.length === 0 ? undefined : tag })}
    />
  )
}
