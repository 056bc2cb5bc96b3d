import { Text } from '@mantine/core'
import { useState } from 'react'
import { personApi } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'

/** Changes the email address of the login. */
export function EmailForm({ sendsMail, onDone }: { sendsMail: boolean; onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const change = useChange('account', onDone, () =>
    personApi.POST('/api/v1/me/email', { body: { current_password: password, email: email.trim() } }),
  )
  return (
    <ChangeForm
      change={change}
      submit={sendsMail ? 'Email me a link' : 'Change email'}
      isComplete={email.trim() !== '' && password !== ''}
      fieldNames={['email', 'current_password']}
      onCancel={onDone}
    >
      <TextField
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        required
        data-autofocus
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        name="current_password"
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <Text size="sm" c="dimmed">
        {sendsMail
          ? 'We will send a link to the new address. Your address changes when you open it.'
          : 'You sign in with it from then on. It stays unverified until the operator invites you with it.'}
      </Text>
    </ChangeForm>
  )
}
