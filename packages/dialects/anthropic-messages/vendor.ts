import type { VendorFormat } from '../vendor.ts'
import { decodeError } from '../vendor-errors/decode-error.ts'
import { decodeResponse, MessagesDecoder } from './vendor/stream.ts'
import { messagesFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessages: VendorFormat = {
  name: 'anthropic-messages',
  headers: { 'anthropic-version': '2023-06-01' },
  readsAddress: (kind, url) => kind !== 'audio' && url.startsWith('https:'),
  operations: {
    generate: {
      fields: messagesFields,
      requiresOutputBound: true,
      path: () => '/v1/messages',
      formatRequest,
      decoder: () => new MessagesDecoder(),
      decodeResponse,
    },
  },
  decodeError,
}
