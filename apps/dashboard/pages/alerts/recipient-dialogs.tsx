import { Button, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import type { EventTarget } from './alert-queries.ts'
import { RecipientForm } from './recipient-form.tsx'

type Created = Schemas['CreatedEventTarget']

const route = getRouteApi('/alerts')

/** The dialog that the address names, and the one that shows a new secret. */
export function RecipientDialogs({ targets }: { targets: readonly EventTarget[] }) {
  const { action, target: targetId } = route.useSearch()
  const navigate = route.useNavigate()
  const [made, setMade] = useState<Created>()
  const close = () => void navigate({ search: { show: 'recipients' }, replace: true, resetScroll: false })
  const found = targets.find(({ id }) => id === targetId)
  const onMade = (created: Created) => {
    if (created.secret !== null) setMade(created)
    close()
  }
  return (
    <>
      <FormDialog opened={action === 'new'} onClose={close} title="Add a recipient">
        {action === 'new' && <RecipientForm onMade={onMade} onDone={close} />}
      </FormDialog>
      <FormDialog
        opened={action === 'change' && found !== undefined}
        onClose={close}
        title="Change the recipient"
      >
        {action === 'change' && found !== undefined && (
          <RecipientForm changed={found} onMade={onMade} onDone={close} />
        )}
      </FormDialog>
      <FormDialog
        opened={action === 'rotate' && found !== undefined}
        onClose={close}
        title="Rotate the secret"
      >
        {action === 'rotate' && found !== undefined && (
          <RotateForm rotated={found} onMade={onMade} onCancel={close} />
        )}
      </FormDialog>
      <FormDialog
        opened={action === 'delete' && found !== undefined}
        onClose={close}
        title="Delete the recipient"
      >
        {action === 'delete' && found !== undefined && <DeleteForm deleted={found} onDone={close} />}
      </FormDialog>
      <FormDialog
        opened={made !== undefined}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title="The secret of the webhook"
      >
        {made !== undefined && <Secret made={made} onSaved={() => setMade(undefined)} />}
      </FormDialog>
    </>
  )
}

/** Shows the secret, which the API returns only once. */
function Secret({ made, onSaved }: { made: Created; onSaved: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        The receiver at <strong style={{ overflowWrap: 'anywhere' }}>{made.name}</strong> uses this secret to
        verify that calls come from us. It works with any Standard Webhooks library.
      </Text>
      <CodeBlock code={made.secret ?? ''} label="The secret" wrap />
      <Text size="sm" c="dimmed">
        It will not be shown again. If you lose it, rotate the secret.
      </Text>
      <Button onClick={onSaved}>I have saved it</Button>
    </Stack>
  )
}

interface RotateFormProps {
  rotated: EventTarget
  onMade: (made: Created) => void
  onCancel: () => void
}

function RotateForm({ rotated, onMade, onCancel }: RotateFormProps) {
  const params = { path: { target_id: rotated.id } }
  const change = useChange('alerts', onMade, () =>
    api.POST('/api/v1/event-targets/{target_id}/rotate-secret', { params }),
  )
  return (
    <ChangeForm change={change} submit="Rotate" onCancel={onCancel}>
      <Text size="sm">
        Both secrets are valid for a day, so that <strong>{rotated.name}</strong> can be switched without
        interruption.
      </Text>
    </ChangeForm>
  )
}

function DeleteForm({ deleted, onDone }: { deleted: EventTarget; onDone: () => void }) {
  const params = { path: { target_id: deleted.id } }
  const change = useChange('alerts', onDone, () =>
    api.DELETE('/api/v1/event-targets/{target_id}', { params }),
  )
  return (
    <ChangeForm change={change} submit="Delete" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong style={{ overflowWrap: 'anywhere' }}>{deleted.name}</strong> will no longer receive events.
        Pending deliveries are cancelled.
      </Text>
    </ChangeForm>
  )
}
