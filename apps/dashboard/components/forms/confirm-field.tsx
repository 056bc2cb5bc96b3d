import { TextField } from './text-field.tsx'

interface ConfirmFieldProps {
  /** The text to type. */
  text: string
  typed: string
  onChange: (typed: string) => void
}

/** A field for the name of something that is about to be ended for good. */
export function ConfirmField({ text, typed, onChange }: ConfirmFieldProps) {
  return (
    <TextField
      name="confirm"
      label={
        <>
          Type <strong>{text}</strong> to confirm
        </>
      }
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      value={typed}
      onChange={onChange}
    />
  )
}
