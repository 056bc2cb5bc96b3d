import type { ModelRequest } from '@turnpike/protocol'
import type { ModelTraits } from '../model-traits.ts'
import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse, responseAsStream } from './vendor/answer.ts'
import { responsesFields } from './vendor/fields.ts'
import { mapErrorField } from './vendor/map-error-field.ts'
import { formatRequest } from './vendor/request.ts'
import { ResponsesDecoder } from './vendor/stream.ts'

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. */
export const openaiResponses: GenerateFormat = {
  name: 'openai-responses',
  readsAddress: (kind) => kind !== 'audio',
  operations: {
    generate: {
      fields: responsesFields,
      path: () => '/responses',
      formatRequest,
      mayReasonUnseen,
      whole: { isAllOf: ({ openai }) => !openai.streams, asStream: responseAsStream },
      mapErrorField,
      decoder: () => new ResponsesDecoder(),
      decodeResponse,
    },
  },
  decodeError: decodeVendorError,
}

/** The reasoning that is shown is a summary, or nothing. Some models cannot turn it off. */
function mayReasonUnseen({ reasoning }: ModelRequest, { openai: { efforts } }: ModelTraits): boolean {
  return reasoning?.effort !== 'none' || efforts?.includes('none') === false
}
