import { Text } from '@mantine/core'
import { bodyOf, personApi, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/change-form.tsx'
import { countsOf, nameOf } from './names.ts'

type Session = Schemas['Session']

export function EndForm({ ended, onDone }: { ended: Session; onDone: () => void }) {
  const path = '/api/v1/me/sessions/{login_session_id}'
  const ending = useChange(
    'sessions',
    () => bodyOf(personApi.DELETE(path, { params: { path: { login_session_id: ended.id } } })),
    onDone,
  )
  return (
    <ChangeForm change={ending} submit="End it" isFinal onCancel={onDone}>
      <Text size="sm">
        <strong>{nameOf(ended)}</strong> is refused from now on, until it signs in again. {consequence(ended)}
      </Text>
    </ChangeForm>
  )
}

function consequence({ kind }: Session): string {
  if (kind === 'device')
    return 'The key that it used stays, for other devices: revoke it where you want that.'
  if (kind === 'app') return 'API keys that it has made stay: revoke those you do not want.'
  return 'API keys that were made there stay.'
}

export function EndOthersForm({ others, onDone }: { others: readonly Session[]; onDone: () => void }) {
  const ending = useChange('sessions', () => bodyOf(personApi.POST('/api/v1/me/sessions/end-others')), onDone)
  return (
    <ChangeForm change={ending} submit="End all others" isFinal onCancel={onDone}>
      <Text size="sm">
        Refused from now on, until they sign in again: <strong>{countsOf(others)}</strong>. API keys go on: if
        somebody else may have one, rotate or revoke it too.
      </Text>
    </ChangeForm>
  )
}
