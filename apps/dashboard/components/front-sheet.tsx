import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mark } from '../shell/mark.tsx'

interface FrontSheetProps {
  title: string
  description: ReactNode
  children: ReactNode
}

/** The whole page for users who are not signed in: one sheet in the middle. */
export function FrontSheet({ title, description, children }: FrontSheetProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'lg', sm: 36 }} w="100%" maw={420} radius="lg">
        <Stack gap="lg">
          <Mark size={44} />
          <Stack gap={6}>
            <Title order={1} size="h2">
              {title}
            </Title>
            <Text c="dimmed">{description}</Text>
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
