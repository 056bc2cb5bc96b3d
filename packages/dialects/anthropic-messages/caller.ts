import type { CallerFormat } from '../caller.ts'
import { errorStatus, formatError } from './error-envelope.ts'
import { MessagesEncoder } from './encoder.ts'
import { formatResponse } from './format-response.ts'
import { MessagesStreamBridge, patchAnswer } from './pass-through.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessagesCaller: Omit<CallerFormat, 'names' | 'parse' | 'endpoint'> = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  idPrefix: 'msg_',
  bodyExpected: 'a JSON object with model, messages and max_tokens',
  encoder: (head) => new MessagesEncoder(head),
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: (requestId) => ({ 'request-id': requestId }),
  rateLimitStyle: 'anthropic',
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  passThrough: {
    spliceRequest: ({ body }) => body,
    openStream: (head, listener) => new MessagesStreamBridge(head, listener),
    patchAnswer,
  },
}
