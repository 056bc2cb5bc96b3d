import { decodeVendorError } from '../vendor-errors/decode-error.ts'
import type { GenerateFormat } from '../vendor.ts'
import { decodeResponse } from './vendor/answer.ts'
import { answersByTool } from './vendor/json-answer.ts'
import { messagesFields } from './vendor/fields.ts'
import { formatRequest } from './vendor/request.ts'
import { MessagesDecoder } from './vendor/stream.ts'
import { mayClaudeReasonUnseen } from '../requests/claude/unseen-reasoning.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessages: GenerateFormat = {
  name: 'anthropic-messages',
  headers: { 'anthropic-version': '2023-06-01' },
  modelsPath: '/v1/models',
  readsAddress: (kind, url) => kind !== 'audio' && url.startsWith('https:'),
  // https://platform.claude.com/docs/en/api/rate-limits#cache-aware-itpm
  cacheReadsUnlimited: true,
  operations: {
    generate: {
      fields: messagesFields,
      requiresOutputBound: true,
      path: () => '/v1/messages',
      formatRequest,
      answersByTool,
      mayReasonUnseen: mayClaudeReasonUnseen,
      decoder: () => new MessagesDecoder(),
      decodeResponse,
    },
  },
  decodeError: decodeVendorError,
}
