import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { lazyForm } from '../../components/forms/lazy-form.tsx'
import type { BudgetFormProps } from './budget-form.tsx'

/** Its code is loaded with the first dialog. */
const BudgetForm = lazyForm(() => import('./budget-form.tsx'), 420)

interface BudgetDialogProps extends Omit<BudgetFormProps, 'onDone'> {
  title: string
  isOpen: boolean
  onClose: () => void
}

export function BudgetDialog({ title, isOpen, onClose, ...form }: BudgetDialogProps) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      {isOpen && <BudgetForm {...form} onDone={onClose} />}
    </FormDialog>
  )
}
