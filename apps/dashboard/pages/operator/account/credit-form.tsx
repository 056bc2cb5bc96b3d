import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { exactUsd } from '../../../format/money.ts'

interface AccountFormProps {
  account: Schemas['Account']
  onDone: () => void
}

const kinds = [
  { value: 'grant', label: 'Grant: add credit' },
  { value: 'refund', label: 'Refund: money was returned, remove credit' },
  { value: 'adjustment', label: 'Adjustment: add or remove credit, by its sign' },
] as const

/** Posted once, however often it is sent; a changed form is another movement. */
export function CreditForm({ account, onDone }: AccountFormProps) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('grant')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const { idempotencyKey, change } = useIdempotencyKey()
  const movement = useChange('operator', onDone, () =>
    api.POST('/api/v1/admin/accounts/{account_id}/credits', {
      params: { path: { account_id: account.id }, header: { 'Idempotency-Key': idempotencyKey } },
      body: { kind, amount_usd: amount.trim(), reason: reason.trim() },
    }),
  )
  return (
    <ChangeForm change={movement} submit="Post" fieldNames={['amount_usd', 'reason']} onCancel={onDone}>
      <Text size="sm">
        <strong>
          <bdi>{account.display_name ?? account.email ?? account.id}</bdi>
        </strong>{' '}
        has {exactUsd(account.balance_usd)}.
        {account.email !== null && !account.email_verified && ` ${account.email} is not verified.`}
      </Text>
      <Select
        label="Kind"
        allowDeselect={false}
        data={kinds}
        value={kind}
        onChange={(value) => value !== null && change(() => setKind(value))}
      />
      <TextField
        name="amount_usd"
        label="Amount"
        leftSection="$"
        required
        data-autofocus
        value={amount}
        onChange={(value) => change(() => setAmount(value))}
      />
      <TextField
        name="reason"
        label="Reason"
        description="The customer sees it in the ledger."
        required
        value={reason}
        onChange={(value) => change(() => setReason(value))}
      />
    </ChangeForm>
  )
}
