import { useState } from 'react'
import { PasswordField } from './password-field.tsx'

/** The identity provider's minimum. */
const minLength = 10

/** A new password, typed twice. */
export function useNewPassword() {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const isComplete = Array.from(password).length >= minLength && again === password
  return { password, setPassword, again, setAgain, isComplete }
}

export function NewPasswordFields({
  password,
  setPassword,
  again,
  setAgain,
  isFirst = false,
}: Omit<ReturnType<typeof useNewPassword>, 'isComplete'> & { isFirst?: boolean }) {
  const isOther = again !== '' && again !== password
  return (
    <>
      <PasswordField
        name="new_password"
        label="New password"
        description={`At least ${minLength} characters.`}
        autoComplete="new-password"
        {...(isFirst && { 'data-autofocus': true })}
        value={password}
        onChange={setPassword}
      />
      <PasswordField
        name="new_password_again"
        label="Repeat new password"
        autoComplete="new-password"
        value={again}
        {...(isOther && { error: 'The passwords do not match.' })}
        onChange={setAgain}
      />
    </>
  )
}
