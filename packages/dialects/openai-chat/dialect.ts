import type { VendorDialect } from '../dialect.ts'
import { ChatDecoder, decodeResponse } from './decoder.ts'
import { decodeError } from './error.ts'
import { openaiChatFields } from './fields.ts'
import { formatRequest } from './format-request.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: VendorDialect = {
  name: 'openai-chat',
  fields: openaiChatFields,
  headers: {},
  // The caller wrote for this very format: what the vendor cannot fetch is for it to say.
  readsAddress: () => true,
  path: () => '/chat/completions',
  formatRequest: (request, target) => formatRequest({ ...request, model: target.model }),
  decoder: () => new ChatDecoder(),
  decodeResponse,
  decodeError,
}
