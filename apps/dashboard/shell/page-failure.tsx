import { Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { FailureNote } from '../components/failure-note.tsx'

/** A page that could not be shown at all: a mistake of ours, or a part of it that did not arrive. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <>
      <Title order={1} size="h2" mb="md">
        This page could not be shown
      </Title>
      <FailureNote error={error} onRetry={() => location.reload()} />
    </>
  )
}
