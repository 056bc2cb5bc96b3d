import type { VendorDialect } from '../dialect.ts'
import { decodeError } from '../openai-chat/error.ts'
import { decodeResponse, MessagesDecoder } from './decoder.ts'
import { messagesFields } from './fields.ts'
import { formatRequest } from './format-request.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessages: VendorDialect = {
  name: 'anthropic-messages',
  fields: messagesFields,
  headers: { 'anthropic-version': '2023-06-01' },
  requiresOutputBound: true,
  readsAddress: (kind, url) => kind !== 'audio' && url.startsWith('https:'),
  path: () => '/v1/messages',
  formatRequest,
  decoder: () => new MessagesDecoder(),
  decodeResponse,
  decodeError,
}
