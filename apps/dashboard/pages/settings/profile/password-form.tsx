import { Text } from '@mantine/core'
import { useState } from 'react'
import { personApi } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { NewPasswordFields, useNewPassword } from '../../../components/forms/new-password-fields.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'

/** Changes the password; requires the current one. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const [current, setCurrent] = useState('')
  const { isComplete, ...typed } = useNewPassword()
  const change = useChange('sessions', onDone, () =>
    personApi.POST('/api/v1/me/password', {
      body: { current_password: current, new_password: typed.password },
    }),
  )
  return (
    <ChangeForm
      change={change}
      submit="Change password"
      isComplete={current !== '' && isComplete}
      fieldNames={['current_password', 'new_password']}
      onCancel={onDone}
    >
      <PasswordField
        name="current_password"
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        value={current}
        onChange={setCurrent}
      />
      <NewPasswordFields {...typed} />
      <Text size="sm" c="dimmed">
        You are signed out everywhere else: browsers, command lines, devices and apps. API keys keep working.
      </Text>
    </ChangeForm>
  )
}
