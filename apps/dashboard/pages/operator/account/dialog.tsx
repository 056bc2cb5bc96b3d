import type { Schemas } from '../../../api/client.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { CreditForm } from './credit-form.tsx'
import { StatusForm } from './status-form.tsx'

interface AccountDialogProps {
  /** Undefined: no account is chosen, or it still loads. */
  account: Schemas['Account'] | undefined
  action: 'credit' | 'status' | undefined
  onDone: () => void
}

/** The dialog of an operator's action on an account. */
export function AccountDialog({ account, action, onDone }: AccountDialogProps) {
  return (
    <FormDialog
      opened={account !== undefined && action !== undefined}
      onClose={onDone}
      title={action === 'credit' ? 'Adjust credit' : 'Status of the account'}
    >
      {account !== undefined && action === 'credit' && <CreditForm account={account} onDone={onDone} />}
      {account !== undefined && action === 'status' && <StatusForm account={account} onDone={onDone} />}
    </FormDialog>
  )
}
