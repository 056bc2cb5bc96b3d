import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { BridgeListener, Cost, StreamBridge } from '../bridge.ts'

/** The result of sending a stream through a bridge. */
export interface Bridged<Bridge extends StreamBridge = StreamBridge> {
  bridge: Bridge
  parts: StreamPart[]
  /** What the caller was sent, latin1. */
  text: string
  usage: Usage | undefined
  error: GatewayError | undefined
}

/** Sends these bytes through a bridge to their end. */
export function bridged<Bridge extends StreamBridge>(
  open: (listener: BridgeListener) => Bridge,
  pieces: readonly (Buffer | string)[],
): Bridged<Bridge> {
  const seen: Omit<Bridged, 'bridge'> = { parts: [], text: '', usage: undefined, error: undefined }
  const bridge = open({
    onEvent(parts, text) {
      seen.text += text
      seen.parts.push(...parts)
      for (const part of parts) {
        if (part.type === 'usage') seen.usage = part.usage
        if (part.type === 'error') seen.error = part.error
      }
    },
  })
  for (const piece of pieces) bridge.push(Buffer.from(piece))
  bridge.end()
  return { ...seen, bridge }
}

/** The last events of the stream, latin1. */
export function endOf({ bridge, usage, error }: Bridged, cost: Cost): string {
  return error === undefined ? bridge.closing(usage, cost) : bridge.failing(error, 'req_1')
}
