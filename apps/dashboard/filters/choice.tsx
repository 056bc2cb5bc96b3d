import { Select } from '@mantine/core'
import classes from './filter-fields.module.css'

export interface ChoiceProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Undefined while they load. */
  offers: { value: string; label: string }[] | undefined
  onOpen?: () => void
}

/** A select for one of the offered values, or none. */
export function Choice({ label, value, onChange, offers, onOpen }: ChoiceProps) {
  const all = offers ?? []
  // Keep a filter from a shared address, even if the range contains nothing of it.
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
