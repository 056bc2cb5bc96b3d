import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { cohereChatFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { CohereDecoder } from './vendor/stream.ts'
import { mayReasonUnseen } from './vendor/thinking.ts'

/** Cohere's native chat API, version 2: https://docs.cohere.com/reference/chat. */
export const cohereChat: GenerateFormat = {
  name: 'cohere-chat',
  // Its model list only exists in version 1: https://docs.cohere.com/reference/list-models.
  modelsPath: '/../v1/models',
  // https://docs.cohere.com/docs/image-inputs
  readsAddress: (kind) => kind === 'image',
  operations: {
    generate: {
      fields: cohereChatFields,
      path: () => '/chat',
      formatRequest,
      mayReasonUnseen,
      decoder: () => new CohereDecoder(),
      decodeResponse,
    },
  },
  decodeError: decodeVendorError,
}
