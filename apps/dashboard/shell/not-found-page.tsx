import { Stack, Text, Title } from '@mantine/core'
import { PageButton } from '../components/page-link.tsx'

export function NotFoundPage() {
  return (
    <Stack align="flex-start" gap="sm" py="xl">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text c="dimmed">The address may be wrong, or the page no longer exists.</Text>
      <PageButton to="/" mt="sm">
        Go to home
      </PageButton>
    </Stack>
  )
}
