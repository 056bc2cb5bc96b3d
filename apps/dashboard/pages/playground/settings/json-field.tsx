import { Textarea } from '@mantine/core'

interface JsonFieldProps {
  label: string
  description?: string
  /** What is wrong with the text. */
  mistake: string | undefined
  value: string
  onChange: (text: string) => void
}

/** A text field for JSON. */
export function JsonField({ mistake, onChange, ...props }: JsonFieldProps) {
  return (
    <Textarea
      {...props}
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      autoComplete="off"
      error={mistake}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
