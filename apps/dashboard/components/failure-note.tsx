import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiFailure } from '../api/api-failure.ts'

interface FailureNoteProps {
  error: unknown
  /** Absent: asking again does not help. */
  onRetry?: () => void
}

/** What went wrong, in the gateway's own words, and what to tell an operator. */
export function FailureNote({ error, onRetry }: FailureNoteProps) {
  const requestId = error instanceof ApiFailure ? error.requestId : null
  return (
    <Alert
      role="alert"
      color="var(--mantine-color-error)"
      variant="outline"
      bg="var(--mantine-color-body)"
      icon={<IconAlertTriangle size={18} />}
      title="This did not work"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed" ff="monospace">
            {requestId}
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
