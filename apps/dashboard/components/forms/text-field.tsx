import { TextInput, type TextInputProps } from '@mantine/core'
import { useFieldError } from './field-error.tsx'

/** A text that says itself what the API finds wrong with it; `name` is what that calls it. */
export function TextField({ name, ...props }: TextInputProps & { name: string; 'data-autofocus'?: boolean }) {
  return <TextInput {...useFieldError(name)} {...props} />
}
