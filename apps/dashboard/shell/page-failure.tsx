import { Title } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { FailureNote } from '../components/failure-note.tsx'

/**
 * Shown if a page cannot be rendered: because of a bug, or because its code could not be loaded. The retry
 * happens in place; reloading the document would lose what only this tab's memory has.
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
