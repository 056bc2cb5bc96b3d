import { actFor } from '../../api/acting.ts'
import { personApi } from '../../api/client.ts'
import { NewNameForm } from './new-name-form.tsx'

/** Creates an organization that the signed-in person owns; afterwards the tab acts for it. */
export function NewOrganizationForm({ onCancel }: { onCancel: () => void }) {
  return (
    <NewNameForm
      submit="Create organization"
      placeholder="Acme"
      note="It starts without credit and keys. Those of your own account stay separate."
      make={(name, params) => personApi.POST('/api/v1/organizations', { params, body: { name } })}
      onMade={({ id }) => actFor(id, '/organization')}
      onCancel={onCancel}
    />
  )
}
