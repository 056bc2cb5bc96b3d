import { useState } from 'react'
import { PasswordField } from './password-field.tsx'

/** The identity provider's minimum. */
const minLength = 10

/** A new password, typed twice. */
export function useNewPassword() {
  const [wanted, setWanted] = useState('')
  const [again, setAgain] = useState('')
  const isComplete = Array.from(wanted).length >= minLength && again === wanted
  return { wanted, setWanted, again, setAgain, isComplete }
}

export function NewPasswordFields({
  wanted,
  setWanted,
  again,
  setAgain,
  isFirst = false,
}: Omit<ReturnType<typeof useNewPassword>, 'isComplete'> & { isFirst?: boolean }) {
  const isOther = again !== '' && again !== wanted
  return (
    <>
      <PasswordField
        name="new_password"
        label="New password"
        description={`At least ${minLength} characters.`}
        autoComplete="new-password"
        {...(isFirst && { 'data-autofocus': true })}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PasswordField
        name="new_password_again"
        label="Repeat new password"
        autoComplete="new-password"
        value={again}
        {...(isOther && { error: 'The passwords do not match.' })}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
    </>
  )
}
