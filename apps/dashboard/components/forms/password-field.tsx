import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

/** A password field that shows the API's errors about it. */
export function PasswordField({
  name,
  ...props
}: PasswordInputProps & { name: string; 'data-autofocus'?: boolean }) {
  return <PasswordInput {...useFieldError(name)} required {...props} />
}
