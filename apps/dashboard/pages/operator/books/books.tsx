import { Stack } from '@mantine/core'
import { SetAside } from './set-aside.tsx'
import { Verifications } from './verifications.tsx'

/** Whether the books balance, and which answers were not charged. */
export function Books() {
  return (
    <Stack gap="lg">
      <Verifications />
      <SetAside />
    </Stack>
  )
}
