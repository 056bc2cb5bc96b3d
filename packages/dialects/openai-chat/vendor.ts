import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { openaiChatFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { ChatDecoder } from './vendor/stream.ts'
import { unlessShown } from './vendor/unseen-reasoning.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: GenerateFormat = {
  name: 'openai-chat',
  // It fetches images by URL, but accepts documents only as data:
  // https://platform.openai.com/docs/guides/pdf-files?api-mode=chat
  readsAddress: (kind) => kind !== 'document',
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
