import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNote } from '../failure-note.tsx'
import { FormProblems, isAtField } from './field-error.tsx'

interface ChangeFormProps {
  /** The mutation that runs on submit. */
  change: { error: Error | null; isPending: boolean; mutate: () => void }
  submit: string
  /** Absent: the form is complete. */
  isComplete?: boolean
  /** The API's names of the fields that show their own errors. */
  fieldNames?: readonly string[]
  /** The change cannot be undone. */
  isFinal?: boolean
  onCancel: () => void
  children: ReactNode
}

/** A form in a dialog: its fields, the error if it failed, and the buttons to submit and to cancel. */
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
