import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { InviteForm } from './invite-form.tsx'
import { RemoveForm, Removed } from './remove-form.tsx'
import { RoleForm } from './role-form.tsx'
import { ServiceForm } from './service-form.tsx'
import { useDialog } from '../use-dialog.ts'

type Member = Schemas['Member']

/** The dialog that the address names. */
export function MemberDialogs({ members }: { members: readonly Member[] }) {
  const { action, member: memberId, close } = useDialog()
  const [removed, setRemoved] = useState<Schemas['RemovedMember']>()
  const found = members.find(({ id, status }) => id === memberId && status === 'active')
  const isService = found?.kind === 'service'
  const onRemoved = (gone: Schemas['RemovedMember']): void => {
    // If keys stay in use, show what is left to do.
    if (gone.keys === 'organization' && gone.key_count > 0) setRemoved(gone)
    close()
  }
  return (
    <>
      <FormDialog opened={action === 'invite'} onClose={close} title="Invite someone">
        {action === 'invite' && <InviteForm onDone={close} />}
      </FormDialog>
      <FormDialog opened={action === 'service'} onClose={close} title="New service account">
        {action === 'service' && <ServiceForm onDone={close} />}
      </FormDialog>
      <FormDialog
        opened={action === 'role' && found !== undefined}
        onClose={close}
        title={isService ? 'Name of the service account' : 'Role of the member'}
      >
        {action === 'role' && found !== undefined && <RoleForm changed={found} onDone={close} />}
      </FormDialog>
      <FormDialog
        opened={action === 'remove' && found !== undefined}
        onClose={close}
        title={isService ? 'Remove the service account' : 'Remove the member'}
      >
        {action === 'remove' && found !== undefined && (
          <RemoveForm removed={found} onDone={onRemoved} onCancel={close} />
        )}
      </FormDialog>
      <FormDialog
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title="Their keys now belong to the organization"
      >
        {removed !== undefined && <Removed removed={removed} onDone={() => setRemoved(undefined)} />}
      </FormDialog>
    </>
  )
}
