import { Select } from '@mantine/core'
import classes from './filter-fields.module.css'

export interface ChoiceProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Undefined: not here yet. */
  offers: { value: string; label: string }[] | undefined
  onOpen?: () => void
}

/** One of what there is, or none. */
export function Choice({ label, value, onChange, offers, onOpen }: ChoiceProps) {
  const all = offers ?? []
  // A filter of a shared address holds, though nothing of it was in the range.
  const isOffered = value === undefined || all.some((one) => one.value === value)
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      searchable
      nothingFoundMessage={offers === undefined ? 'Looking…' : 'None in this range'}
      className={classes.field}
      data={isOffered ? all : [...all, { value, label: value }]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      {...(onOpen && { onDropdownOpen: onOpen })}
    />
  )
}
