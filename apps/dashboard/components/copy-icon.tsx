import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '../icons/icons.ts'

/** @param label what is copied: "Copy the key" */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <Copying value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : label}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  )
}
