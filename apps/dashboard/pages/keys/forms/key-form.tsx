import type { Schemas } from '../../../api/client.ts'
import type { KeyAction } from '../key-search.ts'
import { LimitsForm } from './limits-form.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { OwnerForm } from './owner-form.tsx'
import { PayerForm } from './payer-form.tsx'
import { RevokeForm } from './revoke-form.tsx'
import { RotateForm } from './rotate-form.tsx'
import { TransferForm } from './transfer-form.tsx'

interface KeyFormProps {
  action: KeyAction
  /** The key to change; undefined: a new one is created. */
  named: Schemas['Key'] | undefined
  keys: Schemas['Key'][]
  /** The project of a new key. */
  projectId: string | undefined
  onMade: (key: Schemas['CreatedKey']) => void
  onDone: () => void
}

/** The form of an action on a key. */
export default function KeyForm({ action, named, keys, projectId, onMade, onDone }: KeyFormProps) {
  if (action === 'new')
    return <NewKeyForm keys={keys} projectId={projectId} onMade={onMade} onCancel={onDone} />
  if (named === undefined) return null
  switch (action) {
    case 'limits':
      return <LimitsForm changed={named} onDone={onDone} />
    case 'rotate':
      return <RotateForm rotated={named} keys={keys} onMade={onMade} onCancel={onDone} />
    case 'owner':
      return <OwnerForm changed={named} onDone={onDone} />
    case 'payer':
      return <PayerForm changed={named} keys={keys} onDone={onDone} />
    case 'transfer':
      return <TransferForm source={named} keys={keys} onDone={onDone} />
    case 'revoke':
      return <RevokeForm revoked={named} keys={keys} onDone={onDone} />
  }
}
