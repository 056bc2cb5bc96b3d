import type { GenerateCaller } from '../caller.ts'
import { formatResponse } from './caller/answer.ts'
import { attribution } from './caller/attribution.ts'
import { errorStatus, formatError } from './caller/errors.ts'
import { fieldPath, toDottedPath } from './caller/field-path.ts'
import { messagesNames } from './caller/fields.ts'
import { parseRequest } from './caller/request.ts'
import { MessagesEncoder } from './caller/stream.ts'
import { requireKnownVersion } from './caller/version.ts'
import { patchAnswer } from './pass-through/answer.ts'
import { spliceRequest } from './pass-through/request.ts'
import { MessagesStreamBridge } from './pass-through/stream.ts'

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
export const anthropicMessagesCaller: GenerateCaller = {
  name: 'anthropic-messages',
  endpoint: 'messages',
  operation: 'generate',
  path: '/v1/messages',
  idPrefix: 'msg_',
  bodyExpected: 'a JSON object with model, messages and max_tokens',
  requireHeaders: requireKnownVersion,
  names: messagesNames,
  parse: parseRequest,
  fieldPath: (param, body) => (body === undefined ? toDottedPath(param) : fieldPath(param, body)),
  attribution,
  streams: {
    encoder: (head) => new MessagesEncoder(head),
    type: 'text/event-stream; charset=utf-8',
    keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  },
  formatResponse,
  formatError,
  errorStatus,
  answerHeaders: (requestId) => ({ 'request-id': requestId }),
  rateLimitStyle: 'anthropic',
  counting: {
    style: 'anthropic',
    path: '/v1/messages/count_tokens',
    bodyExpected: 'a JSON object with model and messages',
    // A request for a count has no output bound.
    parse: (body) => parseRequest({ max_tokens: 1, ...body }),
    formatCount: (tokens) => ({ input_tokens: tokens }),
  },
  passThrough: {
    headers: ['anthropic-version', 'anthropic-beta'],
    conversation: ['messages'],
    spliceRequest,
    openStream: (head, listener, events) => new MessagesStreamBridge(head, listener, events),
    patchAnswer,
  },
}
