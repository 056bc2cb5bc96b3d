import type { Budget } from '../../api/budget-queries.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { lazyForm } from '../../components/lazy-form.tsx'

/** It comes with its first dialog. */
const BudgetForm = lazyForm(() => import('./budget-form.tsx'), 420)

interface BudgetDialogProps {
  title: string
  isOpen: boolean
  /** Absent: a new one is made. */
  changed?: Budget
  onClose: () => void
}

export function BudgetDialog({ title, isOpen, changed, onClose }: BudgetDialogProps) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      {isOpen && <BudgetForm {...(changed !== undefined && { changed })} onDone={onClose} />}
    </FormDialog>
  )
}
