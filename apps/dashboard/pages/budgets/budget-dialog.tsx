import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Budget } from '../../api/budget-queries.ts'
import { FormDialog } from '../../components/form-dialog.tsx'

const BudgetForm = lazy(() => import('./budget-form.tsx').catch(() => ({ default: NotLoaded })))
const formHeight = 420

interface BudgetDialogProps {
  title: string
  isOpen: boolean
  /** Absent: a new one is made. */
  changed?: Budget
  onClose: () => void
}

/** The form comes with its first dialog. */
export function BudgetDialog({ title, isOpen, changed, onClose }: BudgetDialogProps) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      {isOpen && (
        <Suspense fallback={<Skeleton height={formHeight} />}>
          <BudgetForm {...(changed !== undefined && { changed })} onDone={onClose} />
        </Suspense>
      )}
    </FormDialog>
  )
}

function NotLoaded() {
  return (
    <Text size="sm" role="alert">
      This did not arrive: load the page again.
    </Text>
  )
}
