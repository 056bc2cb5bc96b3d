import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { FormDialog } from '../../components/form-dialog.tsx'
import type { BudgetFormProps } from './budget-form.tsx'

const BudgetForm = lazy(() => import('./budget-form.tsx').catch(() => ({ default: NotLoaded })))
const formHeight = 420

interface BudgetDialogProps extends Omit<BudgetFormProps, 'onDone'> {
  title: string
  isOpen: boolean
  onClose: () => void
}

/** The form comes with its first dialog. */
export function BudgetDialog({ title, isOpen, onClose, ...form }: BudgetDialogProps) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      {isOpen && (
        <Suspense fallback={<Skeleton height={formHeight} />}>
          <BudgetForm {...form} onDone={onClose} />
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
