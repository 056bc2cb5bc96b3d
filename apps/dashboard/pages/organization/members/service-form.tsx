import { api } from '../../../api/client.ts'
import { NewNameForm } from '../new-name-form.tsx'

/** A member without a login. */
export function ServiceForm({ onDone }: { onDone: () => void }) {
  return (
    <NewNameForm
      submit="Create service account"
      placeholder="nightly-batch"
      note="It cannot sign in. Create keys for it on the keys page. Their usage is counted under its name."
      make={(name, params) => api.POST('/api/v1/organization/members', { params, body: { name } })}
      onMade={onDone}
      onCancel={onDone}
    />
  )
}
