import { openBridge, type GenerateCaller, type GenerateFormat } from '@turnpike/dialects'
import type { GatewayError, Usage } from '@turnpike/protocol'

/** The result of a stream's bridge, without a gateway around it. */
export interface Bridged {
  /** What the caller gets, including the last events. */
  text: string
  /** Undefined if the stream ended successfully. */
  error: string | undefined
  /** How often the bridge reported a broken stream. */
  errors: number
  usage: Usage | undefined
}

/** Sends these pieces of a stream through the bridge that the gateway would use. */
export function bridged(
  format: GenerateCaller,
  vendorFormat: GenerateFormat,
  pieces: readonly Buffer[],
  broken = false,
): Bridged {
  let text = ''
  let usage: Usage | undefined
  const errors: GatewayError[] = []
  const head = { id: `${format.idPrefix}bridged`, model: 'vendor/model', created: 1, includeUsage: true }
  const bridge = openBridge(format, vendorFormat, head, {
    onEvent(parts, said) {
      if (errors.length === 0) text += said
      for (const part of parts) {
        if (part.type === 'usage') usage = part.usage
        if (part.type === 'error') errors.push(part.error)
      }
    },
  })
  for (const piece of pieces) bridge.push(piece)
  bridge.end(broken)
  const [error] = errors
  text += error === undefined ? bridge.closing(usage, { usd: '0' }) : bridge.failing(error, 'req_bridged')
  return {
    text: Buffer.from(text, 'latin1').toString('utf8'),
    error: error?.message,
    errors: errors.length,
    usage,
  }
}
