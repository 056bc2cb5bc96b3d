import { List } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { drawersOf, heirOf, namesOf, payerOf } from '../../../api/payers.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { exactUsd, parseUsd } from '../../../format/money.ts'
import { relativeTo } from '../../../format/time.ts'
import { ConfirmField } from '../../../components/forms/confirm-field.tsx'

interface RevokeFormProps {
  revoked: Schemas['Key']
  keys: Schemas['Key'][]
  onDone: () => void
}

/** Revoking cannot be undone, so the form lists the consequences and requires the key's name. */
export function RevokeForm({ revoked, keys, onDone }: RevokeFormProps) {
  const [typed, setTyped] = useState('')
  const revocation = useChange('keys', onDone, () =>
    api.DELETE('/api/v1/me/keys/{key_id}', { params: { path: { key_id: revoked.id } } }),
  )
  return (
    <ChangeForm
      change={revocation}
      submit="Revoke permanently"
      isComplete={typed.trim() === revoked.name.trim()}
      isFinal
      onCancel={onDone}
    >
      <List size="sm" spacing="xs">
        <List.Item>
          Any program that uses <strong>{revoked.name}</strong> is refused within a second.{' '}
          {describeLastUse(revoked)}
        </List.Item>
        <List.Item>{creditGoes(revoked, keys)}</List.Item>
        {drawersGo(revoked, keys)}
        <List.Item>Its usage and requests stay visible. This cannot be undone.</List.Item>
      </List>
      <ConfirmField text={revoked.name} typed={typed} onChange={setTyped} />
    </ChangeForm>
  )
}

function describeLastUse({ last_used_at: lastUsed }: Schemas['Key']): string {
  if (lastUsed === null) return 'It has never been used.'
  return `It was last used ${relativeTo(lastUsed, Date.now())}.`
}

/** The credit goes to the remaining default key, or else waits for the next one (docs/contract.md, 4.3). */
function creditGoes(revoked: Schemas['Key'], keys: Schemas['Key'][]) {
  const payer = revoked.draws_on === null ? undefined : payerOf(revoked, keys)
  if (payer !== undefined)
    return (
      <>
        The credit that it used stays on <strong>{payer.name}</strong>.
      </>
    )
  const pico = parseUsd(revoked.balance_usd)
  if (pico === 0n) return 'It has no credit.'
  const heir = heirOf(revoked, keys)
  const what = pico > 0n ? `Its credit of ${exactUsd(pico)}` : `Its negative balance of ${exactUsd(-pico)}`
  if (heir === undefined) return `${what} stays on the account for the next key you create.`
  return (
    <>
      {what} goes to <strong>{heir.name}</strong>.
    </>
  )
}

/** Which key will pay for the keys that draw on this one. */
function drawersGo(revoked: Schemas['Key'], keys: Schemas['Key'][]) {
  const drawers = drawersOf(revoked, keys)
  const heir = heirOf(revoked, keys)
  if (drawers.length === 0 || heir === undefined) return null
  const others = drawers.filter(({ id }) => id !== heir.id)
  const isDrawer = others.length < drawers.length
  return (
    <List.Item>
      {isDrawer && (
        <>
          <strong>{heir.name}</strong>, which uses its credit, gets it as its own credit.{' '}
        </>
      )}
      {others.length > 0 && (
        <>
          {isDrawer ? 'Other keys' : 'Keys'} that use its credit will use the credit of{' '}
          <strong>{heir.name}</strong>: {namesOf(others)}.
        </>
      )}
    </List.Item>
  )
}
