import { Text } from '@mantine/core'
import { personApi, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { countsOf, nameOf } from './names.ts'

type Session = Schemas['Session']

export function EndForm({ ended, onDone }: { ended: Session; onDone: () => void }) {
  const path = '/api/v1/me/sessions/{login_session_id}'
  const ending = useChange('sessions', onDone, () =>
    personApi.DELETE(path, { params: { path: { login_session_id: ended.id } } }),
  )
  return (
    <ChangeForm change={ending} submit="Sign out" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{nameOf(ended)}</strong> is signed out and must sign in again. {consequence(ended)}
      </Text>
    </ChangeForm>
  )
}

function consequence({ kind }: Session): string {
  if (kind === 'device')
    return 'The key that it used keeps working for other devices. Revoke it if you want to stop that.'
  if (kind === 'app') return 'API keys that it created keep working. Revoke those you do not want.'
  return 'API keys that were created there keep working.'
}

export function EndOthersForm({ others, onDone }: { others: readonly Session[]; onDone: () => void }) {
  const ending = useChange('sessions', onDone, () => personApi.POST('/api/v1/me/sessions/end-others'))
  return (
    <ChangeForm change={ending} submit="Sign out all others" isFinal onCancel={onDone}>
      <Text size="sm">
        These are signed out and must sign in again: <strong>{countsOf(others)}</strong>. API keys keep
        working. If somebody else may have one, rotate or revoke it too.
      </Text>
    </ChangeForm>
  )
}
