import { TextInput, type TextInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

export interface TextFieldProps extends Omit<TextInputProps, 'onChange'> {
  name: string
  'data-autofocus'?: boolean
  onChange: (value: string) => void
}

/** A text field that shows the API's errors about it; `name` is the field's name in the API. */
export function TextField({ name, onChange, ...props }: TextFieldProps) {
  return (
    <TextInput
      {...useFieldError(name)}
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
