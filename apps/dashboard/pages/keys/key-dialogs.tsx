import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { lazyForm } from '../../components/lazy-form.tsx'
import { RawKey } from './raw-key.tsx'

/** Forms come with the first dialog; what shows a new key is there before there is one. */
const KeyForm = lazyForm(() => import('./key-form.tsx'), 320)

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
export function KeyDialogs({ keys }: { keys: Schemas['Key'][] }) {
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
        {action !== undefined && (
          <KeyForm
            action={action}
            named={found}
            keys={keys}
            projectId={project}
            onMade={onMade}
            onDone={close}
          />
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
