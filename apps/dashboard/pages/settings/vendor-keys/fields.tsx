import { PasswordInput, Switch } from '@mantine/core'
import { useFieldError } from '../../../components/field-error.tsx'
import { TextField } from '../../../components/text-field.tsx'

interface ValueProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

/** It is no password of anybody's here: no password manager is to keep it. */
export function SecretField({ value, onChange }: ValueProps<string>) {
  const problem = useFieldError('secret')
  return (
    <PasswordInput
      {...problem}
      // Mantine says it of all fields but these.
      aria-invalid={Boolean(problem.error)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show what was typed' }}
      label="Key"
      description="As the vendor gave it. It is encrypted, and never shown again."
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
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function FallbackField({ value, onChange }: ValueProps<boolean>) {
  return (
    <Switch
      label="Use credit where this key fails"
      description="Requests then go on to the gateway’s own keys. Off: they fail instead, and cost nothing."
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
