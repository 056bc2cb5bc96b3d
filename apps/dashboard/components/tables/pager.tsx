import { Button, Group } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChevronsLeft } from '../../icons/icons.ts'

interface PagerProps {
  isFirst: boolean
  /** Cursor of the page behind this one; null: this is the last. */
  next: string | null
  /** One page back, where the way to this one is known: a list's cursors lead onward alone. */
  onNewer?: (() => void) | undefined
  onGo: (cursor: string | undefined) => void
}

/** Lists go on by a cursor: onward, one back, and back to the start. */
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
