import { Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'

interface DeleteLogFormProps {
  requestId: string
  onCancel: () => void
  onDone: () => void
}

/** Deletes a stored prompt and answer, which cannot be undone. */
export function DeleteLogForm({ requestId, onCancel, onDone }: DeleteLogFormProps) {
  const params = { path: { request_id: requestId } }
  const deletion = useChange('log', onDone, () =>
    api.DELETE('/api/v1/usage/requests/{request_id}/log', { params }),
  )
  return (
    <ChangeForm change={deletion} submit="Delete permanently" isFinal onCancel={onCancel}>
      <Text size="sm">
        The prompt and answer are deleted at once. The request, its tokens and its cost are kept.
      </Text>
    </ChangeForm>
  )
}
