import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Mark } from '../shell/mark.tsx'

/** Shown if the dashboard could not start: the gateway is unreachable. */
export function StartFailure({ error }: { error: unknown }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center" gap="md" maw={420} ta="center">
        <Mark size={40} />
        <Title order={1} size="h3">
          The gateway does not respond
        </Title>
        <Text c="dimmed">{error instanceof Error ? error.message : String(error)}</Text>
        <Button onClick={() => location.reload()}>Try again</Button>
      </Stack>
    </Center>
  )
}
