import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '../icons/icons.ts'
import { ApiFailure } from '../api/api-failure.ts'
import { EmptyNote } from './empty-note.tsx'

interface FailureNoteProps {
  error: unknown
  /** Absent if a retry does not help. */
  onRetry?: () => void
  /** Shown inside an existing frame, in place of the content that failed to load. */
  isWithin?: boolean
}

/** The gateway's error message, and the request ID to give an operator. */
export function FailureNote({ error, onRetry, isWithin = false }: FailureNoteProps) {
  const isMissing = error instanceof ApiFailure && error.status === 404
  const title = isMissing ? 'Not found' : 'Something went wrong'
  const words = <Words error={error} {...(onRetry && !isMissing && { onRetry })} />
  if (isWithin)
    return (
      <div role="alert">
        <EmptyNote icon={IconAlertTriangle} title={title} color="red">
          <Stack gap="xs" align="center">
            {words}
          </Stack>
        </EmptyNote>
      </div>
    )
  return (
    <Alert
      role="alert"
      color="var(--mantine-color-error)"
      variant="outline"
      bg="var(--mantine-color-body)"
      icon={<IconAlertTriangle size={18} />}
      title={title}
    >
      <Stack gap="xs" align="flex-start">
        {words}
      </Stack>
    </Alert>
  )
}

function Words({ error, onRetry }: Pick<FailureNoteProps, 'error' | 'onRetry'>) {
  const requestId = error instanceof ApiFailure ? error.requestId : null
  return (
    <>
      <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
      {requestId !== null && (
        <Text size="xs" c="dimmed" ff="monospace">
          {requestId}
        </Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt={4} onClick={onRetry}>
          Try again
        </Button>
      )}
    </>
  )
}
