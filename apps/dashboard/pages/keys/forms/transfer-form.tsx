import { Button, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { ownFromThen, payerOf } from '../../../api/payers.ts'
import { useChange } from '../../../api/use-change.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { exactUsd } from '../../../format/money.ts'
import { AmountField } from '../../../components/forms/amount-field.tsx'

interface TransferFormProps {
  source: Schemas['Key']
  keys: Schemas['Key'][]
  onDone: () => void
}

export function TransferForm({ source, keys, onDone }: TransferFormProps) {
  const targets = keys.filter(
    (key) => key.id !== source.id && key.status === 'active' && key.replaced_by === null,
  )
  const payer = source.draws_on === null ? undefined : payerOf(source, keys)
  const [target, setTarget] = useState(
    (targets.find((key) => key.draws_on === null) ?? targets[0])?.id ?? null,
  )
  const [amount, setAmount] = useState('')
  const { idempotencyKey, change } = useIdempotencyKey()
  const transfer = useChange('keys', onDone, () =>
    api.POST('/api/v1/me/keys/{key_id}/transfer', {
      params: { path: { key_id: source.id }, header: { 'Idempotency-Key': idempotencyKey } },
      body: { to_key_id: target ?? '', amount_usd: amount.trim() },
    }),
  )
  if (payer !== undefined)
    return (
      <Text size="sm">
        <strong>{source.name}</strong> uses the credit of <strong>{payer.name}</strong>, so it has no credit
        to move.
      </Text>
    )
  if (targets.length === 0) return <Text size="sm">There is no other active key to move credit to.</Text>
  return (
    <ChangeForm
      change={transfer}
      submit="Move"
      isComplete={amount !== '' && target !== null}
      fieldNames={['amount_usd', 'to_key_id']}
      onCancel={onDone}
    >
      <Text size="sm">
        <strong>{source.name}</strong> has {exactUsd(source.balance_usd)}.
      </Text>
      <Target
        targets={targets}
        keys={keys}
        target={target}
        onChange={(value) => change(() => setTarget(value))}
      />
      <Amount amount={amount} all={source.balance_usd} onChange={(value) => change(() => setAmount(value))} />
    </ChangeForm>
  )
}

interface TargetProps {
  targets: Schemas['Key'][]
  keys: Schemas['Key'][]
  target: string | null
  onChange: (target: string | null) => void
}

function Target({ targets, keys, target, onChange }: TargetProps) {
  return (
    <Select
      {...useFieldError('to_key_id')}
      label="To"
      description={ownFromThen(
        targets.find(({ id }) => id === target),
        keys,
      )}
      allowDeselect={false}
      data={targets.map(({ id, name }) => ({ value: id, label: name }))}
      value={target}
      onChange={onChange}
    />
  )
}

interface AmountProps {
  amount: string
  /** The available amount. */
  all: string
  onChange: (amount: string) => void
}

function Amount({ amount, all, onChange }: AmountProps) {
  return (
    <AmountField
      name="amount_usd"
      label="Amount"
      required
      data-autofocus
      value={amount}
      onChange={onChange}
      rightSectionWidth={56}
      rightSection={
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(all)}>
          All
        </Button>
      }
    />
  )
}
