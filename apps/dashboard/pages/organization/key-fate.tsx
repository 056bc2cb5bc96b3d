import { Radio, Stack } from '@mantine/core'

export type KeyFate = 'organization' | 'revoked'

interface KeyFateFieldProps {
  label: string
  /** Undefined: nothing is chosen yet. */
  value: KeyFate | undefined
  onChange: (value: KeyFate) => void
}

/** What becomes of the keys of a member who goes. */
export function KeyFateField({ label, value, onChange }: KeyFateFieldProps) {
  return (
    <Radio.Group label={label} value={value ?? null} onChange={(chosen) => onChange(chosen)}>
      <Stack gap="sm" mt="xs">
        <Radio
          value="organization"
          label="The organization keeps them"
          description="What runs goes on. Whoever knows their secrets still has them, until they are rotated."
        />
        <Radio
          value="revoked"
          label="They are revoked"
          description="Whatever uses them is refused within a second. That cannot be undone."
        />
      </Stack>
    </Radio.Group>
  )
}
