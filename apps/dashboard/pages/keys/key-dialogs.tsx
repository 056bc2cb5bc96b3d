import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { LimitsForm } from './limits-form.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { OwnerForm } from './owner-form.tsx'
import { PayerForm } from './payer-form.tsx'
import { RawKey } from './raw-key.tsx'
import { RevokeForm } from './revoke-form.tsx'
import { RotateForm } from './rotate-form.tsx'
import { TransferForm } from './transfer-form.tsx'

const route = getRouteApi('/keys')

const titles = {
  new: 'Create a key',
  limits: 'Name and limits',
  rotate: 'Rotate the key',
  owner: 'Owner and project',
  payer: 'Whose credit it uses',
  transfer: 'Move credit',
  revoke: 'Revoke the key',
}

/** The dialog that the address names, and the one that shows a new key. */
export default function KeyDialogs({ keys }: { keys: Schemas['Key'][] }) {
  const { action, key: keyId, project } = route.useSearch()
  const navigate = route.useNavigate()
  const [made, setMade] = useState<Schemas['CreatedKey']>()
  const close = () =>
    void navigate({
      search: (before) => ({ ...before, action: undefined, key: undefined }),
      replace: true,
      resetScroll: false,
    })
  const found = keys.find(({ id }) => id === keyId)
  const onMade = (key: Schemas['CreatedKey']) => {
    setMade(key)
    close()
  }
  const isOpen = action === 'new' || (action !== undefined && found !== undefined)
  return (
    <>
      <FormDialog opened={isOpen} onClose={close} title={action === undefined ? '' : titles[action]}>
        {action === 'new' && <NewKeyForm keys={keys} projectId={project} onMade={onMade} onCancel={close} />}
        {found !== undefined && action === 'limits' && <LimitsForm changed={found} onDone={close} />}
        {found !== undefined && action === 'rotate' && (
          <RotateForm rotated={found} keys={keys} onMade={onMade} onCancel={close} />
        )}
        {found !== undefined && action === 'owner' && <OwnerForm changed={found} onDone={close} />}
        {found !== undefined && action === 'payer' && (
          <PayerForm changed={found} keys={keys} onDone={close} />
        )}
        {found !== undefined && action === 'transfer' && (
          <TransferForm source={found} keys={keys} onDone={close} />
        )}
        {found !== undefined && action === 'revoke' && (
          <RevokeForm revoked={found} keys={keys} onDone={close} />
        )}
      </FormDialog>
      <FormDialog
        opened={made !== undefined}
        onClose={() => undefined}
        title="Your new key"
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {made !== undefined && <RawKey made={made} onSaved={() => setMade(undefined)} />}
      </FormDialog>
    </>
  )
}
