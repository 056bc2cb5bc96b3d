import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export function NotFoundPage() {
  return (
    <Stack align="flex-start" gap="sm" py="xl">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text c="dimmed">The address may be mistyped, or what it showed is gone.</Text>
      <Button renderRoot={(props) => <Link to="/" {...props} />} mt="sm">
        Go to the start
      </Button>
    </Stack>
  )
}
