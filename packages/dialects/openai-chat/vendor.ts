import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { VendorFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { openaiChatFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { ChatDecoder } from './vendor/stream.ts'
import { unlessShown } from './vendor/unseen-reasoning.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: VendorFormat = {
  name: 'openai-chat',
  headers: {},
  // The caller wrote for this very format: what the vendor cannot fetch is for it to say.
  readsAddress: () => true,
  operations: {
    generate: {
      fields: openaiChatFields,
      path: () => '/chat/completions',
      formatRequest,
      mayReasonUnseen: unlessShown,
      decoder: () => new ChatDecoder(),
      decodeResponse,
    },
  },
  decodeError: decodeVendorError,
}
