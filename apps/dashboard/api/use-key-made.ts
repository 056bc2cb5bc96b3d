import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey, type Asked, type Schemas } from './client.ts'
import { rememberRawKey } from './raw-keys.ts'
import { useChange } from './use-change.ts'

type CreatedKey = Schemas['CreatedKey']

/** Creates a key exactly once, even if sent again. The API returns its secret once; this tab keeps it. */
export function useKeyMade(
  make: (headers: { 'Idempotency-Key': string }) => Asked<CreatedKey>,
  onMade: (key: CreatedKey) => void,
): UseMutationResult<CreatedKey, Error, void> {
  const [idempotencyKey] = useState(newIdempotencyKey)
  return useChange('keys', onMade, async () => {
    const answer = await make({ 'Idempotency-Key': idempotencyKey })
    if (answer.data !== undefined) rememberRawKey(answer.data)
    return answer
  })
}
