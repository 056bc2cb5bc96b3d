import { Stack, Text, Title } from '@mantine/core'
import { PageButton } from '../components/page-link.tsx'

export function NotFoundPage() {
  return (
    <Stack align="flex-start" gap="sm" py="xl">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text c="dimmed">The address may be mistyped, or what it showed is gone.</Text>
      <PageButton to="/" mt="sm">
        Go to the start
      </PageButton>
    </Stack>
  )
}
