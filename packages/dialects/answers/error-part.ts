import type { StreamPart } from '@turnpike/protocol'

/** The answer broke off with it. */
export function isError({ type }: StreamPart): boolean {
  return type === 'error'
}
