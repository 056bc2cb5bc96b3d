import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, personApi } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNote } from '../failure-note.tsx'
import { FormProblems, isAtField } from './field-error.tsx'
import { TextField } from './text-field.tsx'

interface NameFormProps {
  name: string
  /** Whose name it is: the signed-in person's, or that of the organization the tab acts for. */
  of: 'person' | 'organization'
}

/** Changes the name of a person or an organization. */
export function NameForm({ name, of }: NameFormProps) {
  const [typed, setTyped] = useState(name)
  const change = useChange('account', undefined, () =>
    (of === 'person' ? personApi : api).PATCH('/api/v1/me', { body: { display_name: typed.trim() } }),
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Group align="flex-end" gap="sm">
        <FormProblems error={change.error}>
          <TextField
            name="display_name"
            label={of === 'person' ? 'Your name' : 'Name'}
            autoComplete={of === 'person' ? 'name' : 'off'}
            maxLength={100}
            flex="1 1 220px"
            maw={360}
            value={typed}
            onChange={setTyped}
          />
        </FormProblems>
        <Button
          type="submit"
          loading={change.isPending}
          disabled={typed.trim() === '' || typed.trim() === name}
        >
          Save
        </Button>
      </Group>
      {change.error !== null && !isAtField(change.error, ['display_name']) && (
        <FailureNote error={change.error} />
      )}
      <Text size="sm" c="dimmed" role="status">
        {change.isSuccess && 'Saved.'}
      </Text>
    </form>
  )
}
