import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { lazyForm } from '../../components/forms/lazy-form.tsx'
import type { KeyAction } from './key-search.ts'
import { RawKey } from './raw-key.tsx'

/**
 * The forms are loaded with the first dialog. The code that shows a new key is loaded before there is one.
 */
const KeyForm = lazyForm(() => import('./forms/key-form.tsx'), 320)

const route = getRouteApi('/keys')

const titles = {
  new: 'Create a key',
  limits: 'Edit name and limits',
  rotate: 'Rotate key',
  owner: 'Owner and project',
  payer: 'Credit source',
  transfer: 'Move credit',
  revoke: 'Revoke key',
}

/** The dialog that the address names, and the one that shows a new key. */
export function KeyDialogs({ keys }: { keys: Schemas['Key'][] }) {
  const { action, key: keyId, project } = route.useSearch()
  const navigate = route.useNavigate()
  const close = () =>
    void navigate({
      search: (before) => ({ ...before, action: undefined, key: undefined }),
      replace: true,
      resetScroll: false,
    })
  return <KeyDialog action={action} keyId={keyId} keys={keys} projectId={project} onClose={close} />
}

interface KeyDialogProps {
  /** Undefined: no dialog is open. */
  action: KeyAction | undefined
  /** The key that the action is about. */
  keyId?: string | undefined
  keys: Schemas['Key'][]
  /** Preselects the project of a new key. */
  projectId: string | undefined
  onClose: () => void
}

/** The dialog of an action, and the key that it creates. */
export function KeyDialog({ action, keyId, keys, projectId, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<Schemas['CreatedKey']>()
  const found = keys.find(({ id }) => id === keyId)
  const onMade = (key: Schemas['CreatedKey']) => {
    setMade(key)
    onClose()
  }
  const isOpen = action === 'new' || (action !== undefined && found !== undefined)
  return (
    <>
      <FormDialog opened={isOpen} onClose={onClose} title={action === undefined ? '' : titles[action]}>
        {action !== undefined && (
          <KeyForm
            action={action}
            named={found}
            keys={keys}
            projectId={projectId}
            onMade={onMade}
            onDone={onClose}
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
