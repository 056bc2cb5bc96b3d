import { Group, Select, TextInput } from '@mantine/core'
import { spendPeriods, type SpendLimit } from './limit-values.ts'

interface SpendLimitFieldProps<Values extends SpendLimit> {
  values: Values
  onChange: (values: Values) => void
}

const periodNames = { day: 'a day', week: 'a week', month: 'a month', total: 'in all' }

/** How much a key may spend, and in which time. */
export function SpendLimitField<Values extends SpendLimit>({
  values,
  onChange,
}: SpendLimitFieldProps<Values>) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label="Spend at most"
        placeholder="no limit"
        inputMode="decimal"
        leftSection="$"
        flex={1}
        value={values.spendUsd}
        onChange={(event) => onChange({ ...values, spendUsd: event.currentTarget.value })}
      />
      <Select
        aria-label="In which time"
        w={130}
        allowDeselect={false}
        data={spendPeriods.map((value) => ({ value, label: periodNames[value] }))}
        value={values.spendPeriod}
        onChange={(value) => value !== null && onChange({ ...values, spendPeriod: value })}
      />
    </Group>
  )
}
