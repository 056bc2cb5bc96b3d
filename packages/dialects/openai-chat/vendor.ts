import type { VendorFormat } from '../vendor.ts'
import { ChatDecoder, decodeResponse } from './vendor/stream.ts'
import { decodeError } from '../vendor-errors/decode-error.ts'
import { openaiChatFields } from './vendor/fields.ts'
import { boundWordOf, fitRequest, takesStreamOptions } from './vendor/fit-request.ts'
import { formatRequest } from './vendor/body.ts'

/** OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat. */
export const openaiChat: VendorFormat = {
  name: 'openai-chat',
  headers: {},
  // It reads images by address, and documents as data alone:
  // https://platform.openai.com/docs/guides/pdf-files?api-mode=chat
  readsAddress: (kind) => kind !== 'document',
  operations: {
    generate: {
      fields: openaiChatFields,
      path: () => '/chat/completions',
      formatRequest(request, target) {
        const {
          max_completion_tokens: bound,
          stream_options: options,
          ...body
        } = formatRequest(fitRequest(request, target))
        if (bound !== undefined) body[boundWordOf(target)] = bound
        if (options !== undefined && takesStreamOptions(target)) body['stream_options'] = options
        return body
      },
      decoder: () => new ChatDecoder(),
      decodeResponse,
    },
  },
  decodeError,
}
