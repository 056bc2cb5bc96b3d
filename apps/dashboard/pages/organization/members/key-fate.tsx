import { Radio, Stack } from '@mantine/core'

export type KeyFate = 'organization' | 'revoked'

interface KeyFateFieldProps {
  label: string
  /** Undefined: nothing is chosen yet. */
  value: KeyFate | undefined
  onChange: (value: KeyFate) => void
}

/** What happens to the keys of a member who leaves. */
export function KeyFateField({ label, value, onChange }: KeyFateFieldProps) {
  return (
    <Radio.Group label={label} value={value ?? null} onChange={(chosen) => onChange(chosen)}>
      <Stack gap="sm" mt="xs">
        <Radio
          value="organization"
          label="Keep them for the organization"
          description="Programs keep working. Anyone who knows a key can use it until you rotate it."
        />
        <Radio
          value="revoked"
          label="Revoke them"
          description="Programs that use them are refused within a second. This cannot be undone."
        />
      </Stack>
    </Radio.Group>
  )
}
