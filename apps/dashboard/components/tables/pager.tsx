import { Button, Group } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChevronsLeft } from '../../icons/icons.ts'

interface PagerProps {
  isFirst: boolean
  /** The cursor of the next page; null: this is the last. */
  next: string | null
  /** Goes back one page, if the way to this one is known: cursors only lead forward. */
  onNewer?: (() => void) | undefined
  onGo: (cursor: string | undefined) => void
}

/** Buttons for a cursor-paginated list: next page, previous page, first page. */
export function Pager({ isFirst, next, onNewer, onGo }: PagerProps) {
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
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={14} />}
          disabled={onNewer === undefined}
          onClick={onNewer}
        >
          Newer
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
    </Group>
  )
}
