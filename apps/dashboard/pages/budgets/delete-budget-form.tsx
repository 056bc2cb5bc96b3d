import { Text } from '@mantine/core'
import type { Budget } from '../../api/budget-queries.ts'
import type { Customer } from '../../api/customer-queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { deleteBudget } from './budget-changes.ts'

interface DeleteBudgetFormProps {
  deleted: Budget
  /** The account, if an operator manages it. */
  customer?: Customer | undefined
  onDone: () => void
}

export function DeleteBudgetForm({ deleted, customer, onDone }: DeleteBudgetFormProps) {
  const change = useChange(customer === undefined ? 'budgets' : 'operator', onDone, () =>
    deleteBudget(customer, deleted),
  )
  return (
    <ChangeForm change={change} submit="Delete" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{deleted.name}</strong> will no longer limit spending or notify anyone. Past usage is kept.
      </Text>
    </ChangeForm>
  )
}
