import { Text } from '@mantine/core'
import type { Budget } from '../../api/budget-queries.ts'
import { api, bodyOf } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/change-form.tsx'

interface DeleteBudgetFormProps {
  deleted: Budget
  onDone: () => void
}

export function DeleteBudgetForm({ deleted, onDone }: DeleteBudgetFormProps) {
  const change = useChange(
    'budgets',
    () => bodyOf(api.DELETE('/api/v1/budgets/{budget_id}', { params: { path: { budget_id: deleted.id } } })),
    onDone,
  )
  return (
    <ChangeForm change={change} submit="Delete" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{deleted.name}</strong> bounds nothing and tells nobody any more. What was spent stays in the
        usage.
      </Text>
    </ChangeForm>
  )
}
