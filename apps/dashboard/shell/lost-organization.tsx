import { Alert } from '@mantine/core'
import { useState } from 'react'
import { noteLoss } from '../api/acting.ts'
import { IconAlertTriangle } from '../icons/icons.ts'

/** Explains why the tab now acts for the person's own account. */
export default function LostOrganization() {
  const [isTold, setTold] = useState(true)
  if (!isTold) return null
  return (
    <Alert
      role="status"
      mb="md"
      color="orange"
      variant="outline"
      bg="var(--mantine-color-body)"
      icon={<IconAlertTriangle size={18} />}
      title="You are no longer a member of that organization, or it was closed"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      withCloseButton
      closeButtonLabel="Close the note"
      onClose={() => {
        noteLoss()
        setTold(false)
      }}
    >
      You are now using your own account.
    </Alert>
  )
}
