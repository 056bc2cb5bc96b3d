import { PasswordInput, Switch } from '@mantine/core'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'

interface ValueProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

/** Not a login password, so password managers should ignore it. */
export function SecretField({ value, onChange }: ValueProps<string>) {
  const problem = useFieldError('secret')
  return (
    <PasswordInput
      {...problem}
      // Mantine sets this on all fields but password fields.
      aria-invalid={Boolean(problem.error)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show key' }}
      label="Key"
      description="As issued by the vendor. It is encrypted and never shown again."
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      data-autofocus
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function NameField({ value, onChange }: ValueProps<string>) {
  return (
    <TextField
      name="name"
      label="Name"
      placeholder="default"
      autoComplete="off"
      maxLength={100}
      value={value}
      onChange={onChange}
    />
  )
}

export function FallbackField({ value, onChange }: ValueProps<boolean>) {
  return (
    <Switch
      label="Use credit if this key fails"
      description="Requests then fall back to the gateway’s own keys. If off, they fail and cost nothing."
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
