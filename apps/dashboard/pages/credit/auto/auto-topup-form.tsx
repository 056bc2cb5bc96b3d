import { Button, Group, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { FormProblems, isAtField, useFieldError } from '../../../components/forms/field-error.tsx'
import { methodName, type AutoTopup, type PaymentMethod } from './auto-queries.ts'
import { AmountField } from '../../../components/forms/amount-field.tsx'

interface AutoTopupFormProps {
  auto: AutoTopup
  methods: readonly PaymentMethod[]
}

const amountNames = ['threshold_usd', 'amount_usd', 'monthly_cap_usd'] as const
type AmountName = (typeof amountNames)[number]
const amountLabels: Record<AmountName, string> = {
  threshold_usd: 'When the balance falls below',
  amount_usd: 'Charge',
  monthly_cap_usd: 'At most per month',
}
/** Suggestions for an account without settings. */
const usual: Record<AmountName, string> = { threshold_usd: '10', amount_usd: '25', monthly_cap_usd: '100' }

/** When to charge, how much, and which payment method. */
export function AutoTopupForm({ auto, methods }: AutoTopupFormProps) {
  const [isOn, setOn] = useState(auto.enabled)
  const [amounts, setAmounts] = useState<Record<AmountName, string>>({
    threshold_usd: auto.threshold_usd ?? usual.threshold_usd,
    amount_usd: auto.amount_usd ?? usual.amount_usd,
    monthly_cap_usd: auto.monthly_cap_usd ?? usual.monthly_cap_usd,
  })
  const [methodId, setMethodId] = useState(() => methodIdOf(auto, methods))
  const change = useChange('autoTopup', undefined, () => {
    const body = { ...amounts, enabled: isOn, payment_method_id: methodId }
    return api.PUT('/api/v1/auto-topup', { body })
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack gap="md">
        <Switch
          label="Buy credit automatically"
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <FormProblems error={change.error}>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            {amountNames.map((name) => (
              <AmountField
                key={name}
                name={name}
                label={amountLabels[name]}
                required
                value={amounts[name]}
                onChange={(value) => setAmounts({ ...amounts, [name]: value })}
              />
            ))}
          </SimpleGrid>
          <MethodField methods={methods} value={methodId} onChange={setMethodId} />
        </FormProblems>
        {change.error !== null && !isAtField(change.error, [...amountNames, 'payment_method_id']) && (
          <FailureNote error={change.error} />
        )}
        <Group gap="sm">
          <Button type="submit" loading={change.isPending} disabled={methodId === ''}>
            Save
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {change.isSuccess && 'Saved.'}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

function methodIdOf(auto: AutoTopup, methods: readonly PaymentMethod[]): string {
  const found = methods.find(({ id }) => id === auto.payment_method_id) ?? methods[0]
  return found?.id ?? ''
}

interface MethodFieldProps {
  methods: readonly PaymentMethod[]
  value: string
  onChange: (value: string) => void
}

function MethodField({ methods, value, onChange }: MethodFieldProps) {
  return (
    <Select
      {...useFieldError('payment_method_id')}
      label="Payment method"
      allowDeselect={false}
      data={methods.map((method) => ({ value: method.id, label: methodName(method) }))}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  )
}
