import { currentOrganization } from '../../api/acting.ts'
import { Select } from '@mantine/core'
import classes from './dimension-choice.module.css'
import { dimensionName } from './group-names.ts'
import { dimensions as usageDimensions, type NamedDimension, type UsageDimension } from './usage-search.ts'

interface DimensionChoiceProps {
  label: string
  value: UsageDimension | undefined
  /** Absent: all dimensions of usage. */
  dimensions?: readonly NamedDimension[]
  /** The keys of tags such as `team:search`. */
  keys: string[]
  /** A dimension that is not offered. Absent: one dimension is always chosen. */
  without?: UsageDimension
  onOpen: () => void
  onChange: (value: UsageDimension | undefined) => void
}

export function DimensionChoice(props: DimensionChoiceProps) {
  const { label, value, dimensions = usageDimensions, keys, without, onOpen, onChange } = props
  const toOptions = (all: readonly UsageDimension[]) =>
    all
      .filter((one) => one !== without && (one !== 'member' || currentOrganization() !== undefined))
      .map((one) => ({ value: one, label: dimensionName(one) }))
  const own = toOptions(keys.map((key): UsageDimension => `tag:${key}`))
  const mayBeNone = without !== undefined
  return (
    <Select
      label={label}
      placeholder="nothing"
      className={classes.choice}
      allowDeselect={mayBeNone}
      maxDropdownHeight={440}
      clearable={mayBeNone}
      data={[
        { group: 'Of every request', items: toOptions(dimensions) },
        ...(own.length === 0 ? [] : [{ group: 'Tag keys', items: own }]),
      ]}
      value={value ?? null}
      onDropdownOpen={onOpen}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
