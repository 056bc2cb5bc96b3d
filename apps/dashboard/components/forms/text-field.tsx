import { TextInput, type TextInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

/** A text field that shows the API's errors about it; `name` is the field's name in the API. */
export function TextField({ name, ...props }: TextInputProps & { name: string; 'data-autofocus'?: boolean }) {
  return <TextInput {...useFieldError(name)} {...props} />
}
