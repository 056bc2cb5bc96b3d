import { CloseButton, Group, Text } from '@mantine/core'
import { IconFile } from '../../../icons/icons.ts'
import type { Attachment } from '../conversation/turn.ts'
import classes from './attachment-list.module.css'
import { megabytes } from './attachments.ts'

interface AttachmentListProps {
  attachments: readonly Attachment[]
  /** Absent: the attachments were sent, and cannot be removed. */
  onRemove?: (index: number) => void
}

/** Attached files: images as thumbnails, others by name. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null
  return (
    <Group gap="xs" component="ul" className={classes.list}>
      {attachments.map((attachment, index) => (
        <li key={index} className={classes.item}>
          {attachment.kind === 'image' ? (
            <img className={classes.picture} src={attachment.data} alt={attachment.name} />
          ) : (
            <IconFile size={18} aria-hidden />
          )}
          <span className={classes.words}>
            <Text size="xs" truncate>
              {attachment.name}
            </Text>
            <Text size="xs" c="dimmed">
              {megabytes(attachment.bytes)}
            </Text>
          </span>
          {onRemove !== undefined && (
            <CloseButton size="sm" aria-label={`Remove ${attachment.name}`} onClick={() => onRemove(index)} />
          )}
        </li>
      ))}
    </Group>
  )
}
