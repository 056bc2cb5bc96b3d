import { Button, Group } from '@mantine/core'
import { IconArrowRight, IconChevronsLeft } from '../icons/icons.ts'

interface PagerProps {
  isFirst: boolean
  /** Cursor of the page behind this one; null: this is the last. */
  next: string | null
  onGo: (cursor: string | undefined) => void
}

/** Lists go on by a cursor: onward, and back to the start. The browser's own "back" is one page back. */
export function Pager({ isFirst, next, onGo }: PagerProps) {
  if (isFirst && next === null) return null
  return (
    <Group justify="space-between" p="md">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronsLeft size={14} />}
        disabled={isFirst}
        onClick={() => onGo(undefined)}
      >
        Newest
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconArrowRight size={14} />}
        disabled={next === null}
        onClick={() => onGo(next ?? undefined)}
      >
        Older
      </Button>
    </Group>
  )
}
