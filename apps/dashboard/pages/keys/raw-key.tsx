import { Alert, Button, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import type { Schemas } from '../../api/client.ts'
import { CodeBlock } from '../../components/code-block.tsx'

/** The only time that a key is shown. Neither the dialog nor the page can be left by mistake. */
export function RawKey({ made, onSaved }: { made: Schemas['CreatedKey']; onSaved: () => void }) {
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', stay)
    return () => window.removeEventListener('beforeunload', stay)
  }, [])
  return (
    <Stack>
      <Text size="sm">
        Copy <strong>{made.name}</strong> now and store it in a safe place.
      </Text>
      <CodeBlock code={made.raw} label="The new key" wrap />
      <Alert color="yellow" variant="light">
        It will not be shown again, since the gateway stores only its hash. Anyone with this key can spend its
        credit.
      </Alert>
      <Button onClick={onSaved}>I have saved it</Button>
    </Stack>
  )
}
