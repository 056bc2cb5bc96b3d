import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems, isAtField } from '../../components/forms/field-error.tsx'
import { TextField } from '../../components/forms/text-field.tsx'

/** As the device shows it; its halves may be separated by a hyphen or a space. */
const pattern = /^[a-z]{4}[ -]?[a-z]{4}$/i

/**
 * The user must type the code. It is not taken from the address, so that nobody approves a stranger's
 * sign-in by following a link.
 */
export function CodeForm({ onFound }: { onFound: (device: Schemas['DeviceSignIn']) => void }) {
  const [code, setCode] = useState('')
  const [isWrong, setWrong] = useState(false)
  const search = useMutation({
    mutationFn: () =>
      bodyOf(
        api.GET('/api/v1/me/device-sign-ins/{user_code}', { params: { path: { user_code: code.trim() } } }),
      ),
    onSuccess: onFound,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const isCode = pattern.test(code.trim())
        setWrong(!isCode)
        if (isCode) search.mutate()
      }}
    >
      <Stack>
        <Text size="sm">
          Type the code that your terminal shows. Never enter a code that somebody sent you: they could spend
          your credit.
        </Text>
        <FormProblems error={search.error}>
          <TextField
            name="user_code"
            label="Code"
            placeholder="XXXX-XXXX"
            required
            data-autofocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={9}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...(isWrong && { error: 'Enter the eight letters that the device shows.' })}
            value={code}
            onChange={(value) => {
              setCode(value)
              setWrong(false)
            }}
          />
        </FormProblems>
        {search.error !== null && !isAtField(search.error, ['user_code']) && (
          <FailureNote error={search.error} />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={search.isPending} disabled={code.trim() === ''}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
