import type { SentRequest } from '../../caller.ts'
import { spliceRequest as spliceChat } from '../../openai-chat/pass-through/request.ts'

/** As in chat completions, but with a single name for the output bound, whether or not the model reasons. */
export function spliceRequest(sent: SentRequest): Buffer {
  return spliceChat(sent.reasons ? { ...sent, reasons: false } : sent)
}
