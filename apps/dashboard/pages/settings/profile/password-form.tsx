import { Text } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, personApi } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/change-form.tsx'
import { PasswordField } from './password-field.tsx'

/** As the identity provider counts them. */
const minLength = 10

/** A new password, for whoever knows the current one. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [again, setAgain] = useState('')
  const change = useChange(
    'sessions',
    () =>
      bodyOf(
        personApi.POST('/api/v1/me/password', { body: { current_password: current, new_password: wanted } }),
      ),
    onDone,
  )
  const isOther = again !== '' && again !== wanted
  return (
    <ChangeForm
      change={change}
      submit="Change password"
      isComplete={current !== '' && Array.from(wanted).length >= minLength && again === wanted}
      fieldNames={['current_password', 'new_password']}
      onCancel={onDone}
    >
      <PasswordField
        name="current_password"
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordField
        name="new_password"
        label="New password"
        description={`At least ${minLength} characters.`}
        autoComplete="new-password"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordField
        name="new_password_again"
        label="New password, again"
        autoComplete="new-password"
        value={again}
        {...(isOther && { error: 'Not the same as above.' })}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        Every other session ends: browsers, command lines, devices and apps. API keys go on.
      </Text>
    </ChangeForm>
  )
}
