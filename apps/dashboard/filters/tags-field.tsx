import { useState } from 'react'
import { LazyTagsInput } from '../components/forms/lazy-tags-input.tsx'
import classes from './filter-fields.module.css'
import type { UsageFilters } from './usage-filters.ts'
import { useFound } from './use-found.ts'

const maxTags = 20

interface TagsFieldProps {
  filters: UsageFilters
  onChange: (filters: UsageFilters) => void
  isOfHealth: boolean
}

/** Several tags; for health data only one. */
export function TagsField({ filters, onChange, isOfHealth }: TagsFieldProps) {
  const [isOpened, setOpened] = useState(false)
  const found = useFound('tag', filters, isOpened)
  return (
    <LazyTagsInput
      aria-label="Tags"
      placeholder={filters.tag === undefined ? 'Tags' : ''}
      className={classes.tags}
      clearable
      maxTags={isOfHealth ? 1 : maxTags}
      data={found ?? []}
      value={filters.tag ?? []}
      onDropdownOpen={() => setOpened(true)}
      onChange={(tag) => onChange({ ...filters, tag: tag.length === 0 ? undefined : tag })}
    />
  )
}
