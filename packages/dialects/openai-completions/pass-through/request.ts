import type { SentRequest } from '../../caller.ts'
import { spliceRequest as spliceChat } from '../../openai-chat/pass-through/request.ts'

/** As in chat completions, but that there is one word for the bound, whether the model reasons or not. */
export function spliceRequest(sent: SentRequest): Buffer {
  return spliceChat(sent.reasons ? { ...sent, reasons: false } : sent)
}
