import { useState } from 'react'
import { newIdempotencyKey } from './client.ts'

/** Of a form that is sent once, however often: with other values it is another sending. */
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
