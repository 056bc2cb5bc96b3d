import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

/** A password that says itself what the API finds wrong with it. */
export function PasswordField({
  name,
  ...props
}: PasswordInputProps & { name: string; 'data-autofocus'?: boolean }) {
  return <PasswordInput {...useFieldError(name)} required {...props} />
}
