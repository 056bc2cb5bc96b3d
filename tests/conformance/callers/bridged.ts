import { openBridge, type GenerateCaller, type GenerateFormat } from '@turnpike/dialects'
import type { GatewayError, Usage } from '@turnpike/protocol'

/** What a bridge made of a stream, without a gateway around it. */
export interface Bridged {
  /** What the caller gets, its last events included. */
  text: string
  /** Undefined where the stream ended well. */
  error: string | undefined
  /** How often it was said to be broken. */
  errors: number
  usage: Usage | undefined
}

/** A stream's bytes in these pieces, through the bridge that the gateway would take. */
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
