import { TextField, type TextFieldProps } from './text-field.tsx'

/** A text field for an amount in USD. */
export function AmountField(props: TextFieldProps) {
  return <TextField leftSection="$" inputMode="decimal" {...props} />
}
