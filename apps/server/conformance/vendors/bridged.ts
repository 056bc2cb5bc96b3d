import { openaiChatCaller, openBridge, type VendorFormat } from '@turnpike/dialects'
import type { Usage } from '@turnpike/protocol'
import { toldAnswer, toldChunks } from './told-answer.ts'
import type { SaidAnswer } from './oracle/said-answer.ts'

/** What a bridge made of a stream, without a gateway around it. */
export interface Bridged {
  answer: SaidAnswer
  /** Undefined where the stream ended well. */
  error: string | undefined
}

/** A stream's bytes in these pieces, through the bridge that the gateway would take. */
export function bridged(vendorFormat: VendorFormat, pieces: readonly Buffer[]): Bridged {
  let text = ''
  let usage: Usage | undefined
  let error: string | undefined
  const head = { id: 'chatcmpl-bridged', model: 'vendor/model', created: 1, includeUsage: true }
  const bridge = openBridge(openaiChatCaller, vendorFormat, head, {
    onEvent(parts, said) {
      text += said
      for (const part of parts) {
        if (part.type === 'usage') usage = part.usage
        if (part.type === 'error') error = part.error.message
      }
    },
  })
  for (const piece of pieces) bridge.push(piece)
  bridge.end()
  if (error === undefined) text += bridge.closing(usage, { usd: '0' })
  const { chunks } = toldChunks(Buffer.from(text, 'latin1').toString('utf8'))
  return { answer: toldAnswer(chunks), error }
}
