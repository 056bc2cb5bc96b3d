import { Select } from '@mantine/core'

interface PlainChoiceProps<Value extends string> {
  label: string
  /** The label if nothing is chosen: `Any status`. */
  any: string
  width: number
  offers: readonly { value: Value; label: string }[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  /** For lists that may be long. */
  isSearchable?: boolean
}

/** One of a few known values, or any. */
export function PlainChoice<Value extends string>({
  label,
  any,
  width,
  offers,
  value,
  onChange,
  isSearchable = false,
}: PlainChoiceProps<Value>) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      clearable
      searchable={isSearchable}
      w={width}
      data={offers}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
