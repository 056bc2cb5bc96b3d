import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, newIdempotencyKey, type Schemas } from './client.ts'
import { rememberRawKey } from './raw-keys.ts'
import { useChange } from './use-change.ts'

type CreatedKey = Schemas['CreatedKey']

/** Makes a key, once however often it is sent; its secret, which is told once, is kept for this tab. */
export function useKeyMade(
  make: (headers: { 'Idempotency-Key': string }) => Parameters<typeof bodyOf<CreatedKey>>[0],
  onMade: (key: CreatedKey) => void,
): UseMutationResult<CreatedKey, Error, void> {
  const [idempotencyKey] = useState(newIdempotencyKey)
  const send = async (): Promise<CreatedKey> =>
    rememberRawKey(await bodyOf(make({ 'Idempotency-Key': idempotencyKey })))
  return useChange('keys', send, onMade)
}
