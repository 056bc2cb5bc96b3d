import type { BridgeHead } from '../../bridge.ts'

/** A message's id: the vendor's if it is a message id, otherwise ours. */
export function messageId(id: string | undefined, head: BridgeHead): string {
  return id?.startsWith('msg_') === true ? id : head.id
}
