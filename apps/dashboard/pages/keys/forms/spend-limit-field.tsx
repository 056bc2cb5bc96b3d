import { Group, Select, TextInput } from '@mantine/core'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { spendPeriods, type SpendLimit } from './limit-values.ts'

interface SpendLimitFieldProps<Values extends SpendLimit> {
  values: Values
  onChange: (values: Values) => void
}

/** The API's field names. */
export const spendLimitNames = ['spend_limit_usd', 'spend_limit_period']

const periodNames = { day: 'a day', week: 'a week', month: 'a month', total: 'in total' }

/** How much a key may spend per period. */
export function SpendLimitField<Values extends SpendLimit>({
  values,
  onChange,
}: SpendLimitFieldProps<Values>) {
  const problem = useFieldError(...spendLimitNames)
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        {...problem}
        label="Spend limit"
        placeholder="no limit"
        inputMode="decimal"
        leftSection="$"
        flex={1}
        value={values.spendUsd}
        onChange={(event) => onChange({ ...values, spendUsd: event.currentTarget.value })}
      />
      <Select
        aria-label="Period"
        // Aligned with the field next to it, which has a label above.
        mt={25}
        w={130}
        allowDeselect={false}
        data={spendPeriods.map((value) => ({ value, label: periodNames[value] }))}
        value={values.spendPeriod}
        onChange={(value) => value !== null && onChange({ ...values, spendPeriod: value })}
      />
    </Group>
  )
}
