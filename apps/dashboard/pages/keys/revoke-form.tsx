import { List, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { relativeTo } from '../../format/time.ts'

interface RevokeFormProps {
  revoked: Schemas['Key']
  keys: Schemas['Key'][]
  onDone: () => void
}

/** Cannot be undone, so it says what follows, and asks for the name. */
export function RevokeForm({ revoked, keys, onDone }: RevokeFormProps) {
  const [typed, setTyped] = useState('')
  const revocation = useChange(
    'keys',
    () => bodyOf(api.DELETE('/api/v1/me/keys/{key_id}', { params: { path: { key_id: revoked.id } } })),
    onDone,
  )
  return (
    <ChangeForm
      change={revocation}
      submit="Revoke for good"
      isComplete={typed.trim() === revoked.name.trim()}
      isFinal
      onCancel={onDone}
    >
      <List size="sm" spacing="xs">
        <List.Item>
          Whatever uses <strong>{revoked.name}</strong> is refused within a second. {usedWhen(revoked)}
        </List.Item>
        <List.Item>{creditGoes(revoked, keys)}</List.Item>
        <List.Item>Its usage and its requests stay to be seen. It cannot be made active again.</List.Item>
      </List>
      <TextInput
        label={
          <>
            Type <strong>{revoked.name}</strong> to confirm
          </>
        }
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ChangeForm>
  )
}

function usedWhen({ last_used_at: lastUsed }: Schemas['Key']): string {
  if (lastUsed === null) return 'It was never used.'
  return `It was last used ${relativeTo(lastUsed, Date.now())}.`
}

/** Contract, section 4.3: to the oldest key that is left, or else it waits for the next one. */
function creditGoes(revoked: Schemas['Key'], keys: Schemas['Key'][]) {
  if (parseUsd(revoked.balance_usd) <= 0n) return <Text size="sm">There is no credit on it.</Text>
  const [oldest] = keys
    .filter((key) => key.id !== revoked.id && key.status === 'active' && key.replaced_by === null)
    .toSorted((left, right) => left.created_at - right.created_at)
  return (
    <>
      Its credit of {exactUsd(revoked.balance_usd)}{' '}
      {oldest === undefined ? (
        'waits on the account, for the next key that is made.'
      ) : (
        <>
          goes to <strong>{oldest.name}</strong>.
        </>
      )}
    </>
  )
}
