import { useState } from 'react'
import { newIdempotencyKey } from './client.ts'

/** A form's idempotency key. Sending it again reuses the key; changing a value makes a new one. */
export function useIdempotencyKey(): { idempotencyKey: string; change: (set: () => void) => void } {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  return {
    idempotencyKey,
    change: (set) => {
      set()
      setIdempotencyKey(newIdempotencyKey())
    },
  }
}
