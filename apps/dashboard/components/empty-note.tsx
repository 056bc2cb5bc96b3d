import { Stack, Text, ThemeIcon } from '@mantine/core'
import type { Icon } from '../icons/draw.tsx'
import type { ReactNode } from 'react'

interface EmptyNoteProps {
  icon: Icon
  title: string
  color?: 'gray' | 'red'
  /** What the user can do to see something here. */
  children?: ReactNode
}

export function EmptyNote({ icon: NoteIcon, title, color = 'gray', children }: EmptyNoteProps) {
  return (
    <Stack align="center" gap="xs" py={36} px="md" ta="center">
      <ThemeIcon size={44} radius="xl" variant="light" color={color}>
        <NoteIcon size={22} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <Text fw={600} mt={4}>
        {title}
      </Text>
      {children !== undefined && (
        <Text component="div" size="sm" c="dimmed" maw={420}>
          {children}
        </Text>
      )}
    </Stack>
  )
}
