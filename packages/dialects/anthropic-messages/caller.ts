import type { CallerFormat } from '../caller.ts'
import { messagesNames } from './caller/fields.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { MessagesEncoder } from './caller/stream.ts'
import { fieldPath, writtenPath } from './caller/field-path.ts'
import { formatResponse } from './caller/answer.ts'
import { parseRequest } from './caller/request.ts'
import { MessagesStreamBridge, patchAnswer } from './pass-through/stream.ts'
import { spliceRequest } from './pass-through/request.ts'
import { requireKnownVersion } from './caller/version.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessagesCaller: CallerFormat = {
  name: 'anthropic-messages',
  endpoint: 'messages',
  path: '/v1/messages',
  idPrefix: 'msg_',
  bodyExpected: 'a JSON object with model, messages and max_tokens',
  requireHeaders: requireKnownVersion,
  names: messagesNames,
  parse: parseRequest,
  fieldPath: (param, body) => (body === undefined ? writtenPath(param) : fieldPath(param, body)),
  encoder: (head) => new MessagesEncoder(head),
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: (requestId) => ({ 'request-id': requestId }),
  rateLimitStyle: 'anthropic',
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  passThrough: {
    headers: ['anthropic-version', 'anthropic-beta'],
    spliceRequest,
    openStream: (head, listener) => new MessagesStreamBridge(head, listener),
    patchAnswer,
  },
}
