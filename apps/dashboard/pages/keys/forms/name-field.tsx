import { TextInput, type TextInputProps } from '@mantine/core'
import { useFieldError } from '../../../components/forms/field-error.tsx'

interface NameFieldProps extends Pick<TextInputProps, 'description' | 'placeholder'> {
  name: string
  onChange: (name: string) => void
}

/** The name of a key. */
export function NameField({ name, onChange, ...hints }: NameFieldProps) {
  return (
    <TextInput
      {...useFieldError('name')}
      label="Name"
      required
      maxLength={100}
      data-autofocus
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...hints}
    />
  )
}
