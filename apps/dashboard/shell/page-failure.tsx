import { Title } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { FailureNote } from '../components/failure-note.tsx'

/**
 * A page that could not be shown at all: a mistake of ours, or a part of it that did not arrive. Tried again
 * in its place: what this tab alone remembers would go with the document.
 */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = async (): Promise<void> => {
    await router.invalidate()
    reset()
  }
  return (
    <>
      <Title order={1} size="h2" mb="md">
        This page could not be loaded
      </Title>
      <FailureNote error={error} onRetry={() => void again()} />
    </>
  )
}
