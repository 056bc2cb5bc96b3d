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
  // The caller wrote for this very format: what the vendor cannot fetch is for it to say.
  readsAddress: () => true,
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
