import type { BridgeHead } from '../../bridge.ts'

/** A message's identifier: the vendor's where it is one of a message, else ours. */
export function messageId(id: string | undefined, head: BridgeHead): string {
  return id?.startsWith('msg_') === true ? id : head.id
}
