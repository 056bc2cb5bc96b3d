import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNote } from '../failure-note.tsx'
import { FormProblems, isAtField } from './field-error.tsx'

interface ChangeFormProps {
  /** What is done when it is sent. */
  change: { error: Error | null; isPending: boolean; mutate: () => void }
  submit: string
  /** Absent: it is complete. */
  isComplete?: boolean
  /** What the API calls the fields that say themselves what is wrong with them. */
  fieldNames?: readonly string[]
  /** Cannot be undone. */
  isFinal?: boolean
  onCancel: () => void
  children: ReactNode
}

/** A dialog that changes something: its fields, why it did not work, and the two ways out. */
export function ChangeForm(props: ChangeFormProps) {
  const { change, submit, isComplete = true, isFinal = false, fieldNames = [], onCancel, children } = props
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack>
        <FormProblems error={change.error}>{children}</FormProblems>
        {change.error !== null && !isAtField(change.error, fieldNames) && (
          <FailureNote error={change.error} />
        )}
        <Group justify="flex-end" gap="sm" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={!isComplete}
            {...(isFinal && { color: 'red.8' })}
          >
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
