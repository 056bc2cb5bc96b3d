import { Code, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'

interface StatusFormProps {
  account: Schemas['Account']
  onDone: () => void
}

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'closed', label: 'Closed' },
] as const

const consequences: Record<Schemas['Account']['status'], string> = {
  active: 'Keys work, and members can sign in.',
  suspended: 'Keys and sign-ins are refused at once. Nothing is lost, and you can undo this.',
  closed: 'Like suspended, but permanent. Keys and credit stay as they are.',
}

export function StatusForm({ account, onDone }: StatusFormProps) {
  const [status, setStatus] = useState<Schemas['Account']['status']>(account.status)
  const [tier, setTier] = useState(account.tier)
  const [reason, setReason] = useState('')
  const change = useChange('operator', onDone, () =>
    api.PATCH('/api/v1/admin/accounts/{account_id}', {
      params: { path: { account_id: account.id } },
      body: {
        ...(status !== account.status && { status }),
        ...(tier.trim() !== account.tier && { tier: tier.trim() }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
    }),
  )
  return (
    <ChangeForm change={change} submit="Save" fieldNames={['tier', 'reason']} onCancel={onDone}>
      <Select
        label="Status"
        allowDeselect={false}
        // A blocked operator can only be reactivated with the internal secret.
        data={statuses.filter(
          ({ value }) => value !== 'active' || !account.operator || account.status === 'active',
        )}
        value={status}
        onChange={(value) => value !== null && setStatus(value)}
      />
      <Text size="sm" c="dimmed">
        {consequences[status]}
      </Text>
      <TextField name="tier" label="Tier" required value={tier} onChange={setTier} />
      <TextField
        name="reason"
        label="Reason"
        description="For the audit log; the customer does not see it."
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
      <Text size="sm" c="dimmed">
        {account.operator ? 'This account is an operator. ' : 'This account is not an operator. '}
        Set operators in the configuration (<Code>admin.operators</Code>) or with the internal secret:{' '}
        <Code>{`PATCH /api/v1/admin/accounts/${account.id}`}</Code> with <Code>{'{"operator": true}'}</Code>.
        A signed-in operator cannot add another operator.
      </Text>
    </ChangeForm>
  )
}
