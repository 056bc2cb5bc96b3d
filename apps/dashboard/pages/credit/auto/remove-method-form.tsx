import { Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { methodName, type PaymentMethod } from './auto-queries.ts'

interface RemoveMethodFormProps {
  removed: PaymentMethod
  onDone: () => void
}

export function RemoveMethodForm({ removed, onDone }: RemoveMethodFormProps) {
  const params = { path: { payment_method_id: removed.id } }
  const change = useChange('autoTopup', onDone, () =>
    api.DELETE('/api/v1/payment-methods/{payment_method_id}', { params }),
  )
  return (
    <ChangeForm change={change} submit="Remove" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{methodName(removed)}</strong> will no longer be charged. Automatic top-ups with it stop.
      </Text>
    </ChangeForm>
  )
}
