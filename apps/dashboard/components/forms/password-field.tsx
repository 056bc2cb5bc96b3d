import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange'> {
  name: string
  'data-autofocus'?: boolean
  onChange: (value: string) => void
}

/** A password field that shows the API's errors about it. */
export function PasswordField({ name, onChange, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...useFieldError(name)}
      required
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
