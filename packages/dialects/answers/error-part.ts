import type { StreamPart } from '@turnpike/protocol'

/** Whether the answer broke off with this part. */
export function isError({ type }: StreamPart): boolean {
  return type === 'error'
}
