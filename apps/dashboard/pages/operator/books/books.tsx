import { Stack } from '@mantine/core'
import { SetAside } from './set-aside.tsx'
import { Verifications } from './verifications.tsx'

/** Whether the books agree, and what is in no ledger. */
export function Books() {
  return (
    <Stack gap="lg">
      <Verifications />
      <SetAside />
    </Stack>
  )
}
