import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { VendorFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { responsesFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { ResponsesDecoder } from './vendor/stream.ts'

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. */
export const openaiResponses: VendorFormat = {
  name: 'openai-responses',
  headers: {},
  readsAddress: (kind) => kind !== 'audio',
  operations: {
    generate: {
      fields: responsesFields,
      path: () => '/responses',
      formatRequest,
      // What is shown of reasoning is a summary, or nothing.
      mayReasonUnseen: ({ reasoning }) => reasoning?.effort !== 'none',
      decoder: () => new ResponsesDecoder(),
      decodeResponse,
    },
  },
  decodeError: decodeVendorError,
}
