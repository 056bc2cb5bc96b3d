import { Skeleton, Stack } from '@mantine/core'

/** Shown while a page's code loads. */
export function PagePending() {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading">
      <Skeleton height={32} width={180} />
      <Skeleton height={120} />
      <Skeleton height={280} />
    </Stack>
  )
}
